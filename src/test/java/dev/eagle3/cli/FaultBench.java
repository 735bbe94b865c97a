package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A GPU host behind a real OpenSSH server, for many cases one after another: each begins with
 * previous output, an earlier log, and nothing else. Its job is short.
 */
final class FaultBench implements AutoCloseable {
  static final String OLD_OUTPUT = "output of an earlier run";
  static final String OLD_LOG = "log of an earlier run";
  static final int SAMPLES = 4;

  private static final int TOKENS = 12;

  private final Path folder;
  private final StandInHost host;

  private FaultBench(Path folder, StandInHost host) {
    this.folder = folder;
    this.host = host;
  }

  static FaultBench open(Path folder) throws IOException, InterruptedException {
    StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.002"));
    List<String> lines = new ArrayList<>();
    for (int sample = 0; sample < SAMPLES; sample++) {
      String ids =
          Stream.iterate(sample + 3, id -> id + 7)
              .limit(TOKENS + sample)
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
      String mask = String.join(", ", Collections.nCopies(TOKENS + sample, "1"));
      lines.add("{\"input_ids\": [" + ids + "], \"loss_mask\": [" + mask + "]}");
    }
    Files.write(host.files().preparedData(), lines);
    return new FaultBench(folder, host);
  }

  StandInHost host() {
    return host;
  }

  /** Where its runs are. */
  Path runs() {
    return host.state().resolve("runs");
  }

  /** Where files are brought to. */
  Path home() {
    return folder.resolve("pulled");
  }

  /** Makes it as it was: nothing runs, and what stands there is of an earlier run. */
  void reset() throws IOException {
    host.server().cutConnections();
    Await.until(
        () -> {
          List<ProcessHandle> left = host.server().processes();
          left.forEach(ProcessHandle::destroyForcibly);
          return left.isEmpty();
        });
    delete(host.state());
    delete(home());
    for (Path entry : RunTruth.entries(host.files().root())) {
      String name = entry.getFileName().toString();
      if (name.startsWith("hidden_states") || name.startsWith("extract_debug.log")) {
        delete(entry);
      }
    }
    Files.writeString(
        Files.createDirectories(host.files().output()).resolve("data_0.pt"), OLD_OUTPUT);
    Files.writeString(host.files().log(), OLD_LOG);
  }

  /** A command of a client in this process. */
  CommandLineRun run(String... words) {
    return over(connection -> connection, words);
  }

  /** The same, over connections that pass through something. */
  CommandLineRun over(UnaryOperator<Host> connection, String... words) {
    return CommandLineRun.over(
        connection,
        host.server().clientHome(),
        Map.of("EAGLE3_HOST", host.server().target()),
        words);
  }

  /** A command of a client that is a process of its own, and ends at an operation. */
  CommandLineRun killed(FaultCase at, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FaultedClient.class.getName(),
                at.operation().toString(),
                at.side().name()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", host.server().clientHome().toString());
    builder.environment().put("EAGLE3_HOST", host.server().target());
    Path out = folder.resolve("client.out");
    Path err = folder.resolve("client.err");
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process client = builder.start();
    try {
      if (!client.waitFor(5, TimeUnit.MINUTES)) {
        throw new AssertionError("the client does not end: " + Files.readString(err));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    } finally {
      client.destroyForcibly();
    }
    return new CommandLineRun(client.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Whether nothing that a client asked for runs there any more; a job may. */
  boolean isQuiet() {
    return scripts().isEmpty();
  }

  /** What runs there of scripts that clients asked for. */
  List<String> scripts() {
    return host.server().processes().stream()
        .map(process -> process.pid() + ": " + RunTruth.words(process.pid()))
        .filter(words -> words.endsWith(": sh -s") || words.contains(": tail "))
        .toList();
  }

  /** Ids of runs that were prepared or launched there, oldest first. */
  List<String> ids() throws IOException {
    return RunTruth.entries(runs()).stream()
        .map(entry -> entry.getFileName().toString().replaceFirst("[.].*", ""))
        .filter(name -> name.matches("[0-9]{8}-[0-9]{6}-[0-9a-f]{4}"))
        .distinct()
        .sorted()
        .toList();
  }

  /** Each regular file in the output folder and the folders beside it: path, and what it holds. */
  Map<String, String> outputs() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path entry : RunTruth.entries(host.files().root())) {
      String name = entry.getFileName().toString();
      boolean isLock = name.endsWith(".eagle3-lock");
      if (name.startsWith("hidden_states") && !isLock && Files.isDirectory(entry)) {
        try (Stream<Path> below = Files.walk(entry)) {
          for (Path file : below.filter(Files::isRegularFile).toList()) {
            found.put(host.files().root().relativize(file).toString(), digest(file));
          }
        }
      }
    }
    return found;
  }

  /** What files with this start of their path hold. */
  static Set<String> contents(Map<String, String> outputs, String start) {
    return outputs.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(start))
        .map(Map.Entry::getValue)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  static String digest(String text) {
    return digest(text.getBytes(UTF_8));
  }

  private static String digest(Path file) {
    try {
      return digest(Files.readAllBytes(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void delete(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(path);
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      for (Path one : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
