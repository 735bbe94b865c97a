package dev.eagle3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.local.LocalHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Linux namespaces of their own for mounts, and on demand for processes and the root folder, in
 * which a test may do what it must not do to this machine. They last until they are closed.
 */
final class Namespace implements AutoCloseable {
  private static final boolean ROOT = System.getProperty("user.name").equals("root");

  private final Process keeper;
  private final List<String> enter;

  private Namespace(Process keeper, List<String> enter) {
    this.keeper = keeper;
    this.enter = enter;
  }

  /**
   * Starts them.
   *
   * @param processes whether processes have a namespace too: those inside see only each other
   * @param script shell script that sets them up, says {@code ready}, and stays until its input
   *     ends; where it goes to another root folder, so does all that is run inside
   */
  static Namespace start(boolean processes, Path script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(Tools.find("unshare").toString(), "-m", "-f"));
    command.addAll(ROOT ? List.of() : List.of("-r"));
    command.addAll(processes ? List.of("-p", "--mount-proc") : List.of());
    command.addAll(List.of("--kill-child", "/bin/sh", script.toString()));
    command.addAll(List.of(arguments));
    Process keeper = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new BufferedReader(new InputStreamReader(keeper.getInputStream(), UTF_8)).readLine();
    if (!"ready".equals(said)) {
      keeper.destroyForcibly();
      throw new AssertionError("no namespaces on this machine: " + said);
    }
    long inside = keeper.children().findFirst().orElseThrow().pid();
    List<String> enter =
        new ArrayList<>(List.of(Tools.find("nsenter").toString(), "-m", "-r", "-w"));
    enter.addAll(ROOT ? List.of() : List.of("-U", "--preserve-credentials"));
    enter.addAll(processes ? List.of("-p") : List.of());
    enter.addAll(List.of("-t", String.valueOf(inside), "--"));
    return new Namespace(keeper, enter);
  }

  /**
   * A host inside.
   *
   * @param environment of every command, whole
   * @param words what the host's shell is started with: commands that run the rest of their line
   * @param replaced texts in its input that are replaced wherever they are
   */
  Host host(Map<String, String> environment, List<String> words, Map<String, String> replaced) {
    List<String> line = new ArrayList<>(enter);
    line.addAll(words);
    return new Inside(
        new LocalHost("gpu7", environment), "exec " + String.join(" ", line), replaced);
  }

  /** The builder of a process inside. */
  ProcessBuilder process(List<String> words) {
    List<String> command = new ArrayList<>(enter);
    command.addAll(words);
    return new ProcessBuilder(command);
  }

  /** Runs shell text inside, with the tools of this machine; what it printed on both streams. */
  String run(String text) throws IOException {
    Process process = process(List.of("/bin/sh", "-c", text)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  /** Ends all that runs inside, where processes have a namespace. */
  @Override
  public void close() {
    keeper.destroyForcibly();
    try {
      if (!keeper.waitFor(20, TimeUnit.SECONDS)) {
        throw new AssertionError("a namespace does not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private record Inside(Host host, String words, Map<String, String> replaced) implements Host {
    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      return host.run(inside(command));
    }

    @Override
    public RunningCommand start(Command command) {
      return host.start(inside(command));
    }

    @Override
    public FileTree files() {
      return host.files();
    }

    @Override
    public void close() {
      host.close();
    }

    private Command inside(Command command) {
      String stdin = command.stdin();
      for (Map.Entry<String, String> one : replaced.entrySet()) {
        stdin = stdin.replace(one.getKey(), one.getValue());
      }
      return new Command(
          words + " " + command.line(), stdin, command.timeout(), command.mostOutput());
    }
  }
}
