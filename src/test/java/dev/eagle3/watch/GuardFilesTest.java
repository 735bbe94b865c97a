package dev.eagle3.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FileVerifier;
import dev.eagle3.verify.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guard of a run says of single files, by its own program under a real Python. */
class GuardFilesTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  /** Says for each path on its input what check says; within 400 MB. */
  private static final String DRIVER =
      """
      import resource, sys
      resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
      guard = {'__name__': 'guard'}
      exec(compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec'), guard)
      class Plan: layers, hidden, rests = 4, int(sys.argv[2]), 3
      for line in open(sys.argv[3], encoding='utf-8'):
          path = line.rstrip('\\n')
          Plan.schema = 'vllm-connector' if path.endswith('.safetensors') else 'speculators-list'
          fault = guard['check'](path, Plan)
          print('good' if fault is None else '\\t'.join(fault.args))
      """;

  @TempDir Path folder;

  @Test
  void itSaysNothingIsWrongThatVerifyShapesCallsGood() throws Exception {
    List<Path> files = fixtures();
    Map<Path, String> says = says(16, files);
    Expectation expected = Expectation.NONE.withLayers(4, "test").withHiddenSize(16, "test");
    FileTree local = new LocalFileTree();

    List<String> alone = new ArrayList<>();
    for (Path file : files) {
      FileStat stat = local.stat(file.toString()).orElseThrow();
      FileVerdict verdict = new FileVerifier(local).verify(stat, expected);
      String said = says.getOrDefault(file, "nothing");
      if (!said.equals("good") && verdict.verdict() != Verdict.BAD) {
        alone.add(file + ": " + said);
      }
    }

    assertThat(files).hasSizeGreaterThan(150);
    assertThat(says.values()).filteredOn(said -> !said.equals("good")).hasSizeGreaterThan(20);
    assertThat(alone).isEmpty();
  }

  @Test
  void wrongLayersOfASampleAreNamedByTheirCode() throws Exception {
    assertThat(codes(16, findings("layers.count", "layers.rank", "tokens.count")))
        .containsExactly("layers.count", "layers.rank", "tokens.count");
    assertThat(codes(7168, findings("layers.hidden-size"))).containsExactly("layers.hidden-size");
    assertThat(codes(16, findings("values.nan", "mask.length", "keys.extra")))
        .containsExactly("layers.count", "good", "good");
  }

  @Test
  void theStoryIsCountedInWords() throws Exception {
    Path file = folder.resolve("data_0.pt");
    TorchFileWriter.sample(512, 771, "float32", 512).write(file);

    assertThat(says(7168, List.of(file)).values())
        .containsExactly("layers.count\t4 × [512, 7168]\t771 × [512]");
  }

  @Test
  @Hostile("torch files that are cut, or lack the values of tensors")
  void aDamagedFileIsNamed() throws Exception {
    assertThat(
            codes(
                16,
                corrupt("trunc_half", "trunc_last1", "missing_data1", "short_storage", "trunc_0")))
        .containsExactly(
            "file.cut", "file.cut", "file.storage-missing", "file.storage-size", "file.empty");
  }

  @Test
  @Hostile("safetensors files that are cut, in their header too")
  void aCutSafetensorsFileIsNamed() throws Exception {
    byte[] whole =
        Files.readAllBytes(FIXTURES.resolve("tensors/torch-2.11/vllm_connector.safetensors"));
    List<Path> files = new ArrayList<>();
    for (int bytes : new int[] {20, whole.length - 1, whole.length}) {
      Path file = folder.resolve(bytes + ".safetensors");
      Files.write(file, Arrays.copyOf(whole, bytes));
      files.add(file);
    }

    assertThat(codes(1, files)).startsWith("file.cut", "file.cut").doesNotContain("good");
    assertThat(codes(1, files).get(2)).startsWith("layers.");
  }

  @Test
  @Hostile("pickles and headers that are made to be run, to nest, to lie, or to never end")
  void whatItDoesNotUnderstandItDoesNotJudge() throws Exception {
    Path deep = write("deep.safetensors", header("{\"a\":" + "[".repeat(400_000)));
    Path digits = write("digits.safetensors", header("{\"a\":" + "9".repeat(900_000) + "}"));
    Path lie = write("lie.safetensors", new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, '{'});
    Path pipe = folder.resolve("data_1.pt");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path link = Files.createSymbolicLink(folder.resolve("data_2.pt"), pipe);
    List<Path> files = new ArrayList<>(List.of(deep, digits, lie, pipe, link));
    files.addAll(list(FIXTURES.resolve("tensors/hostile")));

    List<String> codes = codes(16, files);

    assertThat(codes.subList(0, 5)).containsOnly("good");
    assertThat(codes).hasSize(files.size());
    assertThat(codes).allMatch(code -> code.equals("good") || code.startsWith("file.storage-"));
  }

  private static byte[] header(String json) {
    byte[] text = json.getBytes(UTF_8);
    byte[] file = new byte[8 + text.length];
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length);
    System.arraycopy(text, 0, file, 8, text.length);
    return file;
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static List<Path> findings(String... codes) {
    return Stream.of(codes).map(code -> FIXTURES.resolve("findings/" + code + ".pt")).toList();
  }

  private static List<Path> corrupt(String... names) {
    return Stream.of(names)
        .map(name -> FIXTURES.resolve("tensors/corrupt/" + name + ".pt"))
        .toList();
  }

  private static List<Path> list(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<Path> fixtures() throws IOException {
    try (Stream<Path> files = Files.walk(FIXTURES)) {
      return files
          .filter(file -> file.toString().matches(".*\\.(pt|ckpt|safetensors)"))
          .sorted()
          .toList();
    }
  }

  private List<String> codes(int hidden, List<Path> files) throws Exception {
    return says(hidden, files).values().stream().map(said -> said.split("\t", 2)[0]).toList();
  }

  private Map<Path, String> says(int hidden, List<Path> files) throws Exception {
    Path driver = Files.writeString(folder.resolve("driver.py"), DRIVER);
    Path paths = Files.write(folder.resolve("paths"), files.stream().map(String::valueOf).toList());
    Process python =
        new ProcessBuilder(
                Tools.find("python3").toString(),
                "-X",
                "utf8",
                "-I",
                "-S",
                driver.toString(),
                "src/main/resources/host/guard.py",
                String.valueOf(hidden),
                paths.toString())
            .redirectErrorStream(true)
            .start();
    python.getOutputStream().close();
    List<String> lines = new String(python.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(lines).hasSameSizeAs(files);
    assertThat(python.waitFor()).isZero();
    Map<Path, String> says = new LinkedHashMap<>();
    for (int index = 0; index < files.size(); index++) {
      says.put(files.get(index), lines.get(index));
    }
    return says;
  }
}
