package dev.eagle3.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What stands on the demo's host: a home, stand-in devices and {@code nvidia-smi}, a model folder
 * with a config and shards of one byte each, ten prepared samples, and the stand-in extraction
 * script. All of it lies in one folder; the machine's own GPUs and {@code ~/.eagle3} are not looked
 * at.
 *
 * @param root the folder that holds it all
 */
public record DemoFolder(Path root) {
  /** Token counts of the samples; the first two are those of the story behind the project. */
  public static final List<Integer> TOKENS = List.of(512, 259, 96, 33, 128, 64, 17, 80, 48, 25);

  private static final int GPUS = 8;
  private static final int PAGE_BYTES = 4096;
  private static final int VOCABULARY = 163_840;
  private static final int WORDS = 1_000;
  private static final String MODEL_CONFIG =
      """
      {
        "architectures": ["KimiK25ForConditionalGeneration"],
        "model_type": "kimi_k25",
        "text_config": {
          "model_type": "kimi_k2",
          "hidden_size": 7168,
          "num_hidden_layers": 61,
          "num_attention_heads": 64,
          "kv_lora_rank": 512,
          "vocab_size": 163840,
          "torch_dtype": "bfloat16"
        },
        "vision_config": {"vt_hidden_size": 1152}
      }
      """;

  /** What the kernel of this machine has noted is no matter of the demo. */
  private static final String KERNEL_LOG =
      """
      #!/bin/sh
      echo '[    0.000000] the kernel of a stand-in'
      """;

  /** Makes all of it in an existing, empty folder. */
  public static DemoFolder create(Path root) throws IOException {
    DemoFolder folder = new DemoFolder(root);
    for (Path made : List.of(folder.home(), folder.devices(), folder.bin(), folder.model())) {
      Files.createDirectories(made);
    }
    for (int gpu = 0; gpu < GPUS; gpu++) {
      // A page long, so that a worker can map it as it maps a real device.
      Files.write(folder.devices().resolve("nvidia" + gpu), new byte[PAGE_BYTES]);
    }
    copy("nvidia-smi", folder.bin().resolve("nvidia-smi"));
    program(folder.bin().resolve("dmesg"), KERNEL_LOG);
    copy("02_extract_hidden_states.py", folder.script());
    Files.writeString(folder.model().resolve("config.json"), MODEL_CONFIG);
    Files.writeString(folder.model().resolve("tokenizer.json"), "{}\n");
    DemoShards.write(folder.model());
    Files.writeString(folder.preparedData(), samples());
    return folder;
  }

  /** Makes the model one of another dtype, as its config says. */
  void setDtype(String dtype) throws IOException {
    Files.writeString(model().resolve("config.json"), MODEL_CONFIG.replace("bfloat16", dtype));
  }

  /** The home of the account. */
  public Path home() {
    return root.resolve("home");
  }

  /** Regular files that stand for /dev/nvidia0 to 7. */
  public Path devices() {
    return root.resolve("dev");
  }

  /** Programs of the host: nvidia-smi, dmesg. */
  public Path bin() {
    return root.resolve("bin");
  }

  /** The model: config, tokenizer, index and shards, with one byte of weights in each. */
  public Path model() {
    return root.resolve("model");
  }

  /** The stand-in extraction script. */
  public Path script() {
    return root.resolve("02_extract_hidden_states.py");
  }

  /** Where stand-ins of installed packages are put; not made yet. */
  public Path packages() {
    return root.resolve("site-packages");
  }

  /** Ten tokenized samples. */
  public Path preparedData() {
    return root.resolve("tokenized_data.jsonl");
  }

  /** Where the script saves its files; not made yet. */
  public Path output() {
    return root.resolve("hidden_states");
  }

  /** Where the log is looked for; not made yet. */
  public Path log() {
    return root.resolve("extract_debug.log");
  }

  /** The environment of every command on the demo's host. */
  public Map<String, String> environment(String path) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("HOME", home().toString());
    environment.put("PATH", bin() + ":" + path);
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("EAGLE3_DEVICES", devices().toString());
    environment.put("EAGLE3_STAND_IN_DEVICES", devices().toString());
    return environment;
  }

  private static String samples() {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    for (int tokens : TOKENS) {
      // Few different ones, so that tokens come again within a sample, as in any text.
      String ids =
          random
              .ints(tokens, 0, WORDS)
              .mapToObj(word -> Integer.toString(word * (VOCABULARY / WORDS)))
              .collect(Collectors.joining(", "));
      int prompt = tokens / 3;
      String mask =
          String.join(", ", Collections.nCopies(prompt, "0"))
              + ", "
              + String.join(", ", Collections.nCopies(tokens - prompt, "1"));
      lines.add("{\"input_ids\": [" + ids + "], \"loss_mask\": [" + mask + "]}\n");
    }
    return String.join("", lines);
  }

  private static void copy(String resource, Path to) throws IOException {
    try (InputStream in = DemoFolder.class.getResourceAsStream("/demo/" + resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource demo/" + resource);
      }
      Files.copy(in, to);
    }
    makeExecutable(to);
  }

  private static void program(Path to, String text) throws IOException {
    Files.writeString(to, text);
    makeExecutable(to);
  }

  private static void makeExecutable(Path to) throws IOException {
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
