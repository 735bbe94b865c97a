package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs that installed sources, or the script itself, show to a real interpreter. */
class PairSourcesTest {
  private static final String CONNECTOR =
      "vllm/distributed/kv_transfer/kv_connector/v1/example_hidden_states_connector.py";

  private static final String IMPORT =
      "from speculators.data_generation.vllm_hidden_states_generator import Generator\n";

  @TempDir Path folder;

  private ReadyHost host;
  private Site site;
  private String standIn = "";

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder.resolve("host"));
    standIn = Files.readString(host.files.script());
    site = Site.in(folder.resolve("site"));
    host.set("env", "PYTHONPATH=" + site.folder());
  }

  /** The reply may be unwrapped at once, or after other lines, such as those of a debug patch. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "layers = self.executor.collective_rpc(\"_get_captured_states\", unique_reply_rank=0)[0]",
        "got = self.executor.collective_rpc(\"_get_captured_states\", unique_reply_rank=0)\n"
            + "        # what came back\n"
            + "        print('DEBUG', type(got))\n"
            + "        layers = got[0]",
        "got = self.executor.collective_rpc(\"_get_captured_states\", unique_reply_rank=0)\n"
            + "        if DEBUG:\n            print(isinstance(got, list), len(got), f'{got=}')\n"
            + "        layers = got[0]  # if it is a list"
      })
  void aReplyThatIsUnwrappedTwiceIsRefused(String lines) throws IOException {
    generator(lines);

    assertThat(host.check().orElseThrow().problem())
        .contains("vllm_hidden_states_generator.py:" + (3 + lines.lines().count()))
        .contains("takes [0] of the reply of collective_rpc(..., unique_reply_rank=...)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layers = self.executor.collective_rpc(\"_get_captured_states\", unique_reply_rank=0)",
        "got = self.executor.collective_rpc(\"_get_captured_states\", unique_reply_rank=0)\n"
            + "        print('DEBUG', got[0].shape)\n        layers = got"
      })
  void aReplyThatIsTakenAsItComesIsAPatchedCopy(String lines) throws IOException {
    generator(lines);

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(line -> line.endsWith("patched copy without it"));
  }

  /** Each takes apart a reply that is a list, and leaves another as it is: right on any vLLM. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "layers = got[0] if isinstance(got[0], list) else got",
        "layers = got[0] if OLD_VLLM else got",
        "if not isinstance(got[0], list):\n            got = [got]\n        layers = got[0]",
        "if len(got) == len(self.layer_ids):\n            return got\n        layers = got[0]",
        "if OLD_VLLM:\n            got = got[0]\n        layers = got",
        "if isinstance(got[0], list):\n            layers = got[0]\n"
            + "        else:\n            layers = got",
        "first = got[0]\n        layers = first if isinstance(first, list) else got",
        "layers = got[0]\n        if torch.is_tensor(layers):\n            layers = got",
        "layers = got[0]\n"
            + "        if torch.is_tensor(layers):\n"
            + "            layers = self.executor.collective_rpc(\"_get_captured_states\")[0]"
      })
  void aReplyThatIsTakenApartOnlyWhereItIsAListIsNotRefused(String lines) throws IOException {
    generator(
        "got = self.executor.collective_rpc(\n"
            + "            \"_get_captured_states\",\n"
            + "            unique_reply_rank=0,  # Only get from driver worker\n"
            + "        )\n        "
            + lines);

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(line -> line.endsWith("patched copy without it"));
  }

  /** As speculators 0.3.0 has it, word for word. */
  @Test
  void theFileOfSpeculatorsItselfIsRefused() throws IOException {
    generator(
        """
        # Get captured states from driver worker
                captured_states_list = self.executor.collective_rpc(
                    "_get_captured_states",
                    unique_reply_rank=0,
                )
                aux_hidden_states = captured_states_list[0]

                if not aux_hidden_states:
                    raise RuntimeError("Failed to capture hidden states from worker")

                log.debug(f"Successfully captured {len(aux_hidden_states)} layers")

                seq_lens = [len(ids) for ids in input_ids_list]
                results = []
                offset = 0
                for i, seq_len in enumerate(seq_lens):
                    layer_states = [
                        h[offset : offset + seq_len].clone().cpu() for h in aux_hidden_states
                    ]
        """);

    assertThat(host.refused().problem())
        .contains("vllm_hidden_states_generator.py:9")
        .contains("takes [0] of the reply of collective_rpc(..., unique_reply_rank=...)");
  }

  private void generator(String lines) throws IOException {
    script(IMPORT);
    site.distribution("speculators", "0.3.0", "");
    site.file("speculators/__init__.py", "");
    site.file("speculators/data_generation/__init__.py", "");
    site.module(
        "speculators/data_generation/vllm_hidden_states_generator.py",
        "class Generator:\n    def generate(self):\n        " + lines + "\n");
    site.distribution("vllm", "0.16.0", "");
    site.module("vllm/__init__.py", "");
    site.module(
        "vllm/v1/executor/multiproc_executor.py",
        "return replies[0] if output_rank is not None else replies\n");
  }

  @Test
  void theScriptOfSpecForgeAndALaterSglangAreRefused() throws IOException {
    site.distribution("specforge", "0.1.0", "");
    site.distribution("sglang", "0.5.4", "");
    site.module("sglang/__init__.py", "");
    site.module(
        "sglang/bench_one_batch.py", "def load_model(server_args, port_args, gpu_id, tp_rank):\n");
    script(
        "from specforge.data import datasets\n"
            + "from sglang.bench_one_batch import load_model\n"
            + "def load(server, ports, tp_rank):\n"
            + "    return load_model(server, ports, tp_rank)\n");

    assertThat(host.check().orElseThrow().problem())
        .startsWith(host.files.script() + ":4 gives load_model three arguments; ")
        .contains("sglang 0.5.4 wants four, gpu_id among them (bench_one_batch.py:2)")
        .contains("SpecForge/issues/274");
    site.module("sglang/bench_one_batch.py", "def load_model(server_args, port_args, tp_rank):\n");
    assertThat(host.check()).isEmpty();
  }

  /** A script that fits both, or has a load_model of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "    if OLD:\n        return load_model(server, ports, tp_rank)\n"
            + "    return load_model(server, ports, tp_rank, tp_rank)\n",
        "    return load_model(server, ports, tp_rank)\n"
            + "def load_model(server, ports, tp_rank):\n    return server\n",
      })
  void aScriptThatFitsEitherSglangIsNotRefused(String lines) throws IOException {
    site.distribution("specforge", "0.1.0", "");
    site.distribution("sglang", "0.5.4", "");
    site.module("sglang/__init__.py", "");
    site.module(
        "sglang/bench_one_batch.py", "def load_model(server_args, port_args, gpu_id, tp_rank):\n");
    script("import specforge.data\ndef load(server, ports, tp_rank):\n" + lines);

    assertThat(host.check()).isEmpty();
  }

  @Test
  void aScriptThatGoesOnAfterAnErrorIsAWarning() throws IOException {
    site.distribution("speculators", "0.4.0", "");
    site.distribution("vllm", "0.16.0", "");
    script(
        IMPORT
            + "def batches(generator, all):\n"
            + "    for batch in all:\n"
            + "        try:\n"
            + "            yield generator.generate(batch)\n"
            + "        except Exception as error:\n"
            + "            print(error)\n"
            + "            continue\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .filteredOn(line -> line.contains("pull/57846"))
        .singleElement()
        .asString()
        .startsWith("warning: " + host.files.script() + ":6 goes on after an exception");
  }

  @Test
  void aScriptThatEndsAtAnErrorIsNone() throws IOException {
    site.distribution("speculators", "0.4.0", "");
    site.distribution("vllm", "0.16.0", "");
    script(
        IMPORT
            + "def batches(generator, all):\n"
            + "    try:\n"
            + "        return [generator.generate(batch) for batch in all]\n"
            + "    except Exception as error:\n"
            + "        raise SystemExit(1) from error\n"
            + "def later(all):\n"
            + "    for one in all:\n"
            + "        continue\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.troubles()).noneMatch(line -> line.contains("57846"));
  }

  @Test
  void lengthsThatAreWrittenAnewAreAWarningForARunThatGoesOn() throws IOException {
    site.distribution("speculators", "0.3.0", "");
    host.set("previous-output", "keep");
    script(IMPORT + "LENGTHS = 'sample_lengths.json'\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).anyMatch(line -> line.contains("pull/295"));
    script(IMPORT + "LENGTHS = 'sample_lengths.json'\nsample_lengths = json.load(file)\n");
    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).noneMatch(line -> line.contains("pull/295"));
  }

  /** A model of another kind, by its config; the connector is read, and vLLM's version is not. */
  @Test
  void aModelThatMixesLayersAndAConnectorWithoutTheFixAreAWarning() throws IOException {
    vllm("0.22.0");
    String begin = "self._block_size = vllm_config.cache_config.block_size\n";
    site.module(CONNECTOR, begin + "def get_finished(self, finished_req_ids):\n");
    Files.writeString(
        host.files.model().resolve("config.json"),
        "{\"model_type\": \"qwen3_5_moe\", \"text_config\": {\"model_type\":"
            + " \"qwen3_5_moe_text\", \"hidden_size\": 7168, \"num_hidden_layers\": 61}}");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(line -> line.startsWith("warning: ") && line.contains("pull/46301"));
    site.module(CONNECTOR, "self._block_size = self._get_cache_block_size(vllm_config)\n");
    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).noneMatch(line -> line.contains("pull/46301"));
  }

  @Test
  void aClientThatDoesNotWaitForTheServersLockIsAWarning() throws IOException {
    vllm("0.22.0");
    site.distribution("speculators", "0.5.0", "");
    site.module(CONNECTOR, "def get_finished():\n    lock = path + '.lock'\n");
    Path client = host.files.script().resolveSibling("data_generation_offline.py");
    Files.writeString(client, "def take(path, target):\n    shutil.move(path, target)\n");
    host.set("script", client.toString());

    assertThat(host.check("script-flags")).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(line -> line.contains(client + ":2 takes a file as soon as it is named"))
        .anyMatch(line -> line.contains("15 seconds"));
    Files.writeString(client, "wait_for_lock(path)\n" + Files.readString(client));
    host.set("args", "--request-timeout", "120");
    assertThat(host.check("script-flags")).isEmpty();
    assertThat(host.said("version-pairs"))
        .noneMatch(line -> line.contains("takes a file"))
        .noneMatch(line -> line.contains("15 seconds"));
  }

  private void vllm(String version) throws IOException {
    site.distribution("vllm", version, "");
    site.module("vllm/__init__.py", "");
  }

  /** Before the stand-in's own lines, which define the flags. */
  private void script(String first) throws IOException {
    Files.writeString(host.files.script(), first + standIn);
  }
}
