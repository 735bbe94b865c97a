package dev.eagle3.host.via;

import dev.eagle3.host.Ending;
import dev.eagle3.host.MarkedStream;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.SignalNames;
import dev.eagle3.host.local.ProcessTree;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One run of the user's command, and the shell at the other end of it. It serves one command. */
final class ViaShell {
  private static final int MOST_SAID = 200;
  private static final Duration ECHO_LIMIT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration END_WAIT = Duration.ofMillis(300);
  private static final Duration ORPHAN_SILENCE = Duration.ofSeconds(1);
  private static final Duration GRACE = Duration.ofMillis(500);

  private final Process process;
  private final ShellGreeting greeting = ShellGreeting.create();
  private final BlockedStream input;
  private final MarkedStream output;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private final ErrorReader errorReader;
  private volatile boolean greeted;
  private volatile boolean givenUp;

  /** Around a process that was just started. */
  ViaShell(Process process) {
    this.process = process;
    this.input = new BlockedStream(process.getInputStream());
    this.output = new MarkedStream(input);
    this.errorReader = ErrorReader.start(process.getErrorStream(), greeting.mark());
  }

  /**
   * Waits until the shell answers.
   *
   * @throws NoShellException with the reason when there is none; the process is then ended
   */
  void greet(Duration limit) throws NoShellException {
    NoiseSink noise = new NoiseSink(greeting.echo(), () -> Later.in(ECHO_LIMIT, this::giveUp));
    TimerTask late = Later.in(limit, this::giveUp);
    try {
      write(greeting.firstLine());
      Optional<String> hello = output.copyTo(noise, greeting.hello());
      if (hello.isEmpty()) {
        throw new NoShellException(silence(noise, limit));
      }
      if (!hello.get().isEmpty()) {
        throw new NoShellException(
            "puts a terminal before the shell, which changes bytes: leave its -t out");
      }
      greeted = true;
    } catch (IOException flooded) {
      throw new NoShellException("prints without end and gives no shell");
    } finally {
      late.cancel();
      if (!greeted) {
        kill();
      }
    }
  }

  /**
   * Has the shell run a command.
   *
   * @param inputBytes how many bytes of {@link #stdin} are its input; negative for all
   * @param mostErrors how many bytes of its standard error are kept
   */
  void begin(String command, long inputBytes, int mostErrors) {
    errorReader.keep(mostErrors);
    write(greeting.secondLine(command, inputBytes));
  }

  /** The input of the command. */
  OutputStream stdin() {
    return process.getOutputStream();
  }

  /**
   * Copies the command's output as it comes, on a thread of its own; {@link #ending} then comes.
   *
   * @param atEnd run when no more output comes
   */
  void follow(OutputStream sink, Runnable atEnd) {
    Thread thread =
        new Thread(
            () -> {
              ending.complete(copyOutput(sink));
              atEnd.run();
            },
            "via-output");
    thread.setDaemon(true);
    thread.start();
    watch(atEnd);
  }

  /** How the command ended, once it has. */
  CompletableFuture<Ending> ending() {
    return ending;
  }

  /** What the process has left behind may hold its output: then that has no end to be seen. */
  private void watch(Runnable atEnd) {
    if (ending.isDone()) {
      return;
    }
    if (process.isAlive() || !input.isBlockedFor(ORPHAN_SILENCE)) {
      Later.in(ORPHAN_SILENCE, () -> watch(atEnd));
    } else if (ending.complete(new Ending.Lost(loss()))) {
      atEnd.run();
    }
  }

  private Ending copyOutput(OutputStream sink) {
    try {
      Optional<String> code = output.copyTo(sink, greeting.mark());
      return code.isPresent() ? ending(code.get()) : new Ending.Lost(loss());
    } catch (IOException | NumberFormatException broken) {
      return new Ending.Lost(String.valueOf(broken.getMessage()));
    }
  }

  /** Standard error of the command so far. */
  OutputCapture errors() {
    return errorReader.errors();
  }

  /** Waits a moment until standard error is all there; false where something else holds it. */
  boolean awaitErrors() throws InterruptedException {
    return errorReader.awaitEnd(GRACE.toNanos());
  }

  /** Whether the process lives. */
  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Lets go of a shell whose command has ended, or is wanted no more: the end of its input first,
   * then, for one that stays, signals. Returns at once.
   */
  void release() {
    // Aside: who still writes to a process that does not read holds this up.
    Thread closer = new Thread(this::closeInput, "via-close");
    closer.setDaemon(true);
    closer.start();
    Later.in(END_WAIT, () -> ProcessTree.of(process.toHandle()).end());
    Later.in(PATIENCE, this::kill);
  }

  /** Ends the process and what it started here. */
  void kill() {
    ProcessTree.of(process.toHandle()).kill();
  }

  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // Nobody reads it any more, which is what closing is for.
      return;
    }
  }

  private void giveUp() {
    if (!greeted) {
      givenUp = true;
      kill();
    }
  }

  private void write(byte[] bytes) {
    try {
      process.getOutputStream().write(bytes);
      process.getOutputStream().flush();
    } catch (IOException ended) {
      // Its output will end, too, and then it is asked why.
      return;
    }
  }

  private static Ending ending(String code) {
    int exit = Integer.parseInt(code);
    Optional<String> signal = SignalNames.ofExitCode(exit);
    return signal.isPresent() ? new Ending.Signalled(signal.get()) : new Ending.Exited(exit);
  }

  private String silence(NoiseSink noise, Duration limit) {
    if (givenUp) {
      return noise.echoed()
          ? "gives back what it is sent and runs nothing: it is no shell"
          : "gave no shell within "
              + Math.round(limit.toMillis() / 1000.0)
              + " s"
              + said(noise.text());
    }
    return end() + " and gave no shell" + said(noise.text());
  }

  private String loss() {
    return givenUp ? "it was given up" : end() + " before the command did" + said("");
  }

  /** How the process ended, once its output has. */
  private String end() {
    try {
      if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        return "closed its output";
      }
      errorReader.awaitEnd(GRACE.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "was interrupted";
    }
    int code = process.exitValue();
    return SignalNames.ofExitCode(code)
        .map(signal -> "was killed by signal " + signal)
        .orElse("ended with code " + code);
  }

  private String said(String noise) {
    String last = errorReader.lastLine();
    String words = last.isEmpty() ? ErrorReader.lastLine(noise) : last;
    return words.isEmpty() ? "" : ": " + Printable.line(words, MOST_SAID);
  }
}
