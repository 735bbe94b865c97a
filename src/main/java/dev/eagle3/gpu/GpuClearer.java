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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the GPUs of a host free for a launch, or says who holds them. */
public final class GpuClearer {
  /** Looking, ten seconds after TERM, five after KILL, and memory that falls slowly. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final String PHASE = "gpus";
  private static final int NAMED = 3;

  private final HostScripts scripts;
  private final EventSink events;
  private final GpuAnswerParser parser;

  private GpuClearer(HostScripts scripts, EventSink events) {
    this.scripts = scripts;
    this.events = events;
    this.parser = new GpuAnswerParser(scripts.host().name());
  }

  /**
   * Shows who holds GPUs, and under {@code ALL} ends exactly the processes of {@code approved} that
   * may be ended: whoever calls this has shown them and asked. Then waits until the memory is free
   * and watches for a holder that comes back. Under {@code SAFE} nothing is ended: any holder is
   * refused. Blocks for up to some minutes; returns when the GPUs are free.
   *
   * @throws Failure {@code REFUSED} when a process, a live run or hidden memory is in the way, when
   *     somebody took a GPU since the look (nothing is ended then), or when clearing did not free
   *     the memory; others as {@link HostScripts#run}
   */
  public static void clear(
      HostScripts scripts, ExtractionPlan plan, GpuLook approved, EventSink events) {
    new GpuClearer(scripts, events).clear(plan, approved);
  }

  /**
   * The step as {@code --dry-run} prints it: what the policy does with whatever it finds. Empty
   * under {@code NONE}.
   */
  public static Optional<ScriptCall> step(ExtractionPlan plan) {
    return switch (plan.clearGpus()) {
      case NONE -> Optional.empty();
      case SAFE -> Optional.of(GpuLooker.call(plan, List.of()));
      case ALL -> Optional.of(GpuLooker.call(plan, List.of("found")));
    };
  }

  private void clear(ExtractionPlan plan, GpuLook look) {
    if (plan.clearGpus() == ClearGpus.NONE) {
      check("clear", "note", "not looked at: --clear-gpus none");
      return;
    }
    look.lacks().forEach(lack -> check("look", "warning", "without " + lack));
    if (!look.absent().isEmpty()) {
      check("look", "warning", "the host shows no GPU " + GpuHolder.indices(look.absent()));
    }
    boolean ends = plan.clearGpus() == ClearGpus.ALL && look.policy() == ClearGpus.ALL;
    for (GpuHolder holder : look.holders()) {
      events.emit(holder.event(verdict(holder, ends)));
    }
    refuseWhatStands(look, ends);
    if (look.endable().isEmpty()) {
      check(
          "clear",
          "ok",
          look.needed() + ": nobody holds " + (look.needed().startsWith("GPU ") ? "it" : "them"));
      return;
    }
    end(plan, look);
  }

  private void refuseWhatStands(GpuLook look, boolean ends) {
    if (!look.liveRuns().isEmpty()) {
      throw held(look.liveRuns()).orTry(stopOf(look.liveRuns().get(0)));
    }
    if (!look.endable().isEmpty() && !ends) {
      throw held(look.endable())
          .orTry("--clear-gpus all, which ends what holds any GPU; or others with --gpus");
    }
    if (!look.hidden().isEmpty()) {
      throw hidden(look.hidden());
    }
  }

  private void end(ExtractionPlan plan, GpuLook look) {
    List<String> whom = look.endable().stream().map(GpuHolder::target).toList();
    ScriptAnswer answer = scripts.run(GpuLooker.call(plan, whom).within(LIMIT));
    List<Long> ended = parser.pids(answer, "ended");
    look.endable().stream()
        .filter(holder -> ended.contains(holder.pid()))
        .forEach(holder -> events.emit(holder.event("ended")));
    for (GpuHolder holder : look.endable()) {
      holder.unit().filter(unit -> unit.endsWith(".service")).ifPresent(this::warnOfUnit);
    }
    List<GpuHolder> back = parser.holders(answer, "back");
    back.forEach(holder -> events.emit(holder.event("held")));
    if (answer.code() != 0) {
      throw failed(answer, back);
    }
    long killed = answer.rows("ended").stream().filter(row -> row.contains("KILL")).count();
    check(
        "clear",
        "ok",
        ended.size()
            + (ended.size() == 1 ? " process" : " processes")
            + " ended"
            + (killed > 0 ? ", " + killed + " of them by KILL" : "")
            + "; the memory of "
            + look.needed()
            + " is free");
  }

  private void warnOfUnit(String unit) {
    check(
        "clear",
        "warning",
        Printable.line(unit, 80) + " may start its process again: systemctl stop it first");
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
    Failure failure = Failure.of(Exit.REFUSED, host, Printable.line(why.get(), 300));
    if (back.isEmpty()) {
      return failure.orTry("the same command again, which looks again");
    }
    GpuHolder first = back.get(0);
    return Failure.of(Exit.REFUSED, host, "took a GPU again after clearing: " + named(back))
        .orTry(
            first
                .unit()
                .map(unit -> "stop " + Printable.line(unit, 80) + " on the host, which starts it")
                .orElse("stop what starts it on the host"));
  }

  private Failure held(List<GpuHolder> holders) {
    return Failure.of(
        Exit.REFUSED, scripts.host().name(), "its GPUs are held by " + named(holders));
  }

  private static String named(List<GpuHolder> holders) {
    String first =
        holders.stream().limit(NAMED).map(GpuHolder::says).collect(Collectors.joining("; "));
    int more = holders.size() - NAMED;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  private String stopOf(GpuHolder holder) {
    return holder
        .run()
        .map(run -> scripts.comeBack("tail-log " + run))
        .orElse(scripts.comeBack("runs"));
  }

  private Failure hidden(List<HiddenMemory> hidden) {
    String what =
        hidden.stream()
            .map(one -> one.mebibytes() + " MiB of GPU " + one.gpu())
            .collect(Collectors.joining(", "));
    List<Long> pids = hidden.stream().flatMap(one -> one.pids().stream()).distinct().toList();
    String who =
        pids.isEmpty()
            ? ""
            : " (nvidia-smi names pid "
                + pids.stream().limit(8).map(String::valueOf).collect(Collectors.joining(", "))
                + " there)";
    return Failure.of(
            Exit.REFUSED,
            scripts.host().name(),
            what + " held from outside this container or hidden" + who)
        .orTry("nvidia-smi on the machine outside; or other GPUs with --gpus");
  }

  private static String verdict(GpuHolder holder, boolean ends) {
    return switch (holder.kind()) {
      case DAEMON, ANCESTOR -> "spared";
      case LIVE_RUN -> "refused";
      case OTHER -> ends ? "held" : "refused";
    };
  }

  private void check(String name, String verdict, String says) {
    events.emit(new Event.Check(PHASE, name, verdict, says));
  }
}
