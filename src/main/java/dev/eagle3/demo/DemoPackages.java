package dev.eagle3.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Stand-ins of installed packages, as metadata and the lines of source that matter: speculators
 * 0.3.0 and vLLM 0.16.0, which do not go together. Nothing imports them.
 */
final class DemoPackages {
  private static final String GENERATOR =
      """
      # A stand-in: what speculators 0.3.0 does with the reply of a worker.


      class VllmHiddenStatesGenerator:
          def generate(self, token_ids):
              reply = self.executor.collective_rpc("_get_captured_states", unique_reply_rank=0)
              layers = reply[0]
              return layers
      """;

  private static final String EXECUTOR =
      """
      # A stand-in: what vLLM answers since 0.12.


      def collective_rpc(replies, output_rank):
          return replies[0] if output_rank is not None else replies
      """;

  /** What the script of the story imports; it is never called here. */
  private static final String IMPORT =
      """


      def the_real_one():
          from speculators.data_generation.vllm_hidden_states_generator import (
              VllmHiddenStatesGenerator,
          )

          return VllmHiddenStatesGenerator
      """;

  private DemoPackages() {}

  /** Writes them, and has the stand-in script import one. */
  static void install(DemoFolder folder) throws IOException {
    Path site = folder.packages();
    write(site, "speculators-0.3.0.dist-info/METADATA", metadata("speculators", "0.3.0"));
    write(site, "speculators/__init__.py", "");
    write(site, "speculators/data_generation/__init__.py", "");
    write(site, "speculators/data_generation/vllm_hidden_states_generator.py", GENERATOR);
    write(site, "vllm-0.16.0.dist-info/METADATA", metadata("vllm", "0.16.0"));
    write(site, "vllm/__init__.py", "");
    write(site, "vllm/v1/executor/multiproc_executor.py", EXECUTOR);
    Files.writeString(folder.script(), IMPORT, StandardOpenOption.APPEND);
  }

  private static String metadata(String name, String version) {
    return "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n";
  }

  private static void write(Path site, String name, String text) throws IOException {
    Path file = site.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
