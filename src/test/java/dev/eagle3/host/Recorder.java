package dev.eagle3.host;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Failure;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A host that runs nothing, and keeps what it was told to run. */
record Recorder(AtomicReference<String> input) implements Host {
  /** The text that a host gets for a script. */
  static String textOf(ScriptCall call) {
    AtomicReference<String> input = new AtomicReference<>("");
    try {
      new HostScripts(new Recorder(input)).run(call);
    } catch (Failure unanswered) {
      return Objects.requireNonNull(input.get());
    }
    throw new AssertionError("nobody answers here");
  }

  @Override
  public String name() {
    return "recorder";
  }

  @Override
  public CommandResult run(Command command) {
    input.set(command.stdin());
    return new CommandResult(new Ending.Exited(0), "", "", false);
  }

  @Override
  public RunningCommand start(Command command) {
    return new NeverStarted(new Ending.Lost("nothing runs here"));
  }

  @Override
  public FileTree files() {
    return new LocalFileTree();
  }

  @Override
  public void close() {
    // Holds nothing.
  }
}
