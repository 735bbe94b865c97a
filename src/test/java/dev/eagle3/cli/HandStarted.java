package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.StandInHost;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A job that is started as people did before there was eagle3: by one line of ssh and nohup. */
final class HandStarted {
  private HandStarted() {}

  /** The line, with the paths of a stand-in host; what it runs is its stand-in script. */
  static String line(StandInHost host, Path log) {
    return "nohup bash -c \"CUDA_HOME=/usr/local/cuda-12.8 "
        + words(host)
        + "\" > "
        + log
        + " 2>&1 &";
  }

  /** The command of the line. */
  static String words(StandInHost host) {
    return String.join(
        " ",
        List.of(
            python(),
            host.files().script().toString(),
            "--model-path " + host.files().model(),
            "--prepared-data " + host.files().preparedData(),
            "--output-dir " + host.files().output(),
            "--batch-size 2 --max-seq-len 2048 --tp-size 8 --gpu-memory-utilization 0.80",
            "--layer-ids 2 30 58 60"));
  }

  /** Types the line with the ssh of this machine; returns once there is a log. */
  static void start(StandInHost host, Path log) throws Exception {
    ssh(host, line(host, log));
    Await.until(() -> Files.exists(log));
  }

  /** Runs a command line on the host by ssh; blocks until ssh ends. */
  static void ssh(StandInHost host, String command) throws Exception {
    Process ssh =
        new ProcessBuilder(
                Tools.find("ssh").toString(),
                "-F",
                host.server().clientConfiguration().toString(),
                "box",
                command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(host.profile().resolveSibling("ssh.out").toFile())
            .start();
    assertThat(ssh.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(ssh.exitValue())
        .as(Files.readString(host.profile().resolveSibling("ssh.out")))
        .isZero();
  }

  /** Runs eagle3 as the user of the stand-in host does. */
  static CommandLineRun command(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }

  /** The same for a command about a path of that host, {@code box:PATH}. */
  static CommandLineRun about(StandInHost host, String command, Path path, String... more) {
    List<String> words = new ArrayList<>(List.of(command, "box:" + path, "-F"));
    words.add(configuration(host).toString());
    words.addAll(List.of(more));
    return CommandLineRun.at(host.server().clientHome(), Map.of(), words.toArray(String[]::new));
  }

  private static Path configuration(StandInHost host) {
    try {
      return host.server().clientConfiguration();
    } catch (IOException unwritten) {
      throw new UncheckedIOException(unwritten);
    }
  }

  private static String python() {
    Path system = Path.of("/usr/bin/python3");
    return (Files.isExecutable(system) ? system : Tools.find("python3")).toString();
  }
}
