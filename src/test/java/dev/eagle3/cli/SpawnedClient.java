package dev.eagle3.cli;

import dev.eagle3.host.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client in a process of its own, as a user starts it, for signals. Closing it kills it. */
record SpawnedClient(Process process, Path outFile, Path errFile) implements AutoCloseable {
  private static final int MOST_SECONDS = 120;

  /**
   * Starts one.
   *
   * @param home of the user; what it prints goes to files there
   */
  static SpawnedClient start(Path home, String... words) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.eagle3.cli.Main"));
    line.addAll(List.of(words));
    Path out = Files.createTempFile(home, "client", ".out");
    Path err = Files.createTempFile(home, "client", ".err");
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("HOME", home.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("EAGLE3_"));
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    return new SpawnedClient(builder.start(), out, err);
  }

  String out() throws IOException {
    return Files.readString(outFile);
  }

  String err() throws IOException {
    return Files.readString(errFile);
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  /** Its exit code; a failure when it does not end. */
  int code() throws IOException, InterruptedException {
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the client does not end: " + err());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Await.until(() -> !process.isAlive());
  }
}
