package dev.eagle3.gpu;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the GPUs of a host free for a launch, or says who holds them. Three steps, so that all is
 * seen and agreed to before anything is ended: {@link #show}, {@link #refuse}, {@link #clear}.
 */
public final class GpuClearer {
  /** Looking, ten seconds after TERM, five after KILL, and memory that falls slowly. */
  private static final Duration LIMIT = Duration.ofMinutes(6);

  /** A line that drops this often while GPUs are cleared will not carry it. */
  private static final int MOST_LOOKS_AGAIN = 2;

  private static final String PHASE = "gpus";

  private final HostScripts scripts;
  private final EventSink events;
  private final GpuAnswerParser parser;

  private GpuClearer(HostScripts scripts, EventSink events) {
    this.scripts = scripts;
    this.events = events;
    this.parser = new GpuAnswerParser(scripts.host().name());
  }

  /**
   * Emits what was seen: each holder with what will become of it, what could not be seen, and what
   * would start a holder again. Asks the host nothing.
   */
  public static void show(GpuLook look, EventSink events) {
    LookTeller.tell(look, events);
  }

  /**
   * Refuses what no agreement helps against; nothing has been touched then.
   *
   * @throws Failure {@code REFUSED} with all of {@link GpuLook#refusals}
   */
  public static void refuse(HostScripts scripts, GpuLook look) {
    List<String> refusals = look.refusals();
    if (refusals.isEmpty()) {
      return;
    }
    Failure failure = Failure.of(Exit.REFUSED, scripts.host().name(), String.join("; ", refusals));
    Optional<RunId> live = look.liveRuns().stream().flatMap(one -> one.run().stream()).findFirst();
    if (live.isPresent()) {
      throw failure.orTry(
          scripts.comeBack("stop " + live.get())
              + "   # or extract --replace, when that run writes to the same output folder");
    }
    if (!look.liveRuns().isEmpty()) {
      throw failure.orTry(scripts.comeBack("runs"));
    }
    throw failure.orTry(
        look.hidden().isEmpty()
            ? "other GPUs with --gpus"
            : "nvidia-smi on the machine outside; or other GPUs with --gpus");
  }

  /**
   * Ends what is left over ({@link GpuLook#unasked}) and exactly the processes of {@code agreed};
   * then waits until the memory is free and watches for a holder that comes back. Blocks for up to
   * some minutes; returns when the GPUs are free.
   *
   * @param agreed those of {@link GpuLook#asked} that somebody agreed to end, having been shown
   *     them; any other one is refused
   * @throws Failure {@code REFUSED} when a process, a live run or hidden memory is in the way, when
   *     somebody took a GPU since the look (nothing is ended then), or when clearing did not free
   *     the memory; others as {@link HostScripts#run}
   */
  public static void clear(
      HostScripts scripts, GpuLook look, List<GpuHolder> agreed, EventSink events) {
    clear(scripts, look, agreed, List.of(), events);
  }

  /**
   * As above, after some holders were ended by other means: their memory is waited for too.
   *
   * @param ended holders of an earlier look that have ended since
   */
  public static void clear(
      HostScripts scripts,
      GpuLook look,
      List<GpuHolder> agreed,
      List<GpuHolder> ended,
      EventSink events) {
    new GpuClearer(scripts, events).clear(look, agreed, ended, MOST_LOOKS_AGAIN);
  }

  /** As {@link #step(GpuNeed)}, for what a plan needs. */
  public static Optional<ScriptCall> step(ExtractionPlan plan) {
    return step(GpuNeed.of(plan));
  }

  /**
   * The step as {@code --dry-run} prints it: what the policy does with whatever it finds. Under
   * {@code SAFE} anything but what is left over refuses it. Empty under {@code NONE}.
   */
  public static Optional<ScriptCall> step(GpuNeed need) {
    return need.policy() == ClearGpus.NONE
        ? Optional.empty()
        : Optional.of(GpuLooker.ending(need, List.of("found")).within(LIMIT));
  }

  private void clear(GpuLook look, List<GpuHolder> agreed, List<GpuHolder> before, int again) {
    if (look.policy() == ClearGpus.NONE) {
      check("note", "not looked at: --clear-gpus none");
      return;
    }
    refuse(scripts, look);
    List<GpuHolder> open =
        look.asked().stream().filter(holder -> !agreed.contains(holder)).toList();
    if (!open.isEmpty()) {
      throw Failure.of(
              Exit.REFUSED, scripts.host().name(), "its GPUs are held by " + GpuHolder.named(open))
          .orTry("the same on a terminal, which asks; or other GPUs with --gpus");
    }
    if (look.endable().isEmpty() && before.isEmpty()) {
      String whom = look.needed().startsWith("GPU ") ? "it" : "them";
      String nobody = look.lacks().isEmpty() ? "nobody" : "nobody that can be seen";
      check("ok", look.needed() + ": " + nobody + " holds " + whom);
      return;
    }
    List<String> whom =
        Stream.concat(look.endable().stream(), before.stream()).map(GpuHolder::target).toList();
    ScriptAnswer answer;
    try {
      answer = scripts.run(GpuLooker.ending(look.need(), whom).within(LIMIT));
    } catch (Failure unknown) {
      if (unknown.exit() != Exit.LOST || !scripts.host().reconnects() || again == 0) {
        throw unknown;
      }
      lookAgain(look, agreed, before, again - 1);
      return;
    }
    tell(look, answer);
  }

  /** What was ended is unknown: what is still there, and was agreed to, is ended now. */
  private void lookAgain(GpuLook first, List<GpuHolder> agreed, List<GpuHolder> before, int again) {
    check("warning", "what was ended is unknown, as the connection was lost; looking again");
    List<String> named = agreed.stream().map(GpuHolder::target).toList();
    GpuLook now = GpuLooker.look(scripts, first.need());
    List<GpuHolder> still =
        now.asked().stream().filter(holder -> named.contains(holder.target())).toList();
    clear(now, still, before, again);
  }

  private void tell(GpuLook look, ScriptAnswer answer) {
    List<Long> ended = parser.pids(answer, "ended");
    look.endable().stream()
        .filter(holder -> ended.contains(holder.pid()))
        .forEach(holder -> events.emit(holder.event("ended")));
    List<GpuHolder> back = parser.holders(answer, "back");
    back.forEach(holder -> events.emit(holder.event("held")));
    if (answer.code() != 0) {
      throw failed(answer, back);
    }
    long killed = answer.rows("ended").stream().filter(row -> row.contains("KILL")).count();
    check(
        "ok",
        (ended.isEmpty()
                ? ""
                : ended.size()
                    + (ended.size() == 1 ? " process" : " processes")
                    + " ended"
                    + (killed > 0 ? ", " + killed + " of them by KILL" : "")
                    + "; ")
            + "the memory of "
            + look.needed()
            + " is free");
  }

  private Failure failed(ScriptAnswer answer, List<GpuHolder> back) {
    String host = scripts.host().name();
    Optional<String> why = parser.refusal(answer);
    if (why.isEmpty()) {
      return Failure.of(
          Exit.REFUSED,
          host,
          "clearing its GPUs failed: " + Printable.line(answer.stderr().strip(), 200));
    }
    if (back.isEmpty()) {
      return Failure.of(Exit.REFUSED, host, Printable.line(why.get(), 300))
          .orTry("the same command again, which looks again");
    }
    return Failure.of(Exit.REFUSED, host, "came back after clearing: " + GpuHolder.named(back))
        .orTry(
            back.stream()
                .flatMap(holder -> holder.watcher().stream())
                .findFirst()
                .map(watcher -> "on the host: " + watcher.stop())
                .orElse("stop what starts it on the host"));
  }

  private void check(String verdict, String says) {
    events.emit(new Event.Check(PHASE, "clear", verdict, says));
  }
}
