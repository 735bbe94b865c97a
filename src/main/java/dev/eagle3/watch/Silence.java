package dev.eagle3.watch;

import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFollower;
import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How long a run has said and saved nothing, against what its phase allows. A run that is silent
 * for longer is looked at; when its processes do not work, it is called stalled, once for each
 * silence. Processes that work put that off, but not for ever: workers that wait for each other
 * spin.
 */
final class Silence {
  /** After so many times what is allowed, work is no excuse any more. */
  private static final int MOST_EXCUSED = 3;

  private final Map<String, Duration> allowances = new HashMap<>();
  private final List<Pattern> heartbeats;
  private final LongSupplier nanos;
  private String phase = "the launch";
  private Duration allowed = LogMilestone.QUIET;
  private long lastLife;
  private int looks;
  private boolean looking;
  private boolean said;
  private boolean ended;

  /**
   * A silence that begins now.
   *
   * @param nanos a clock that never goes back
   */
  Silence(LogRules rules, LongSupplier nanos) {
    this.nanos = nanos;
    this.lastLife = nanos.getAsLong();
    this.heartbeats = rules.heartbeats().stream().map(LogFollower::pattern).toList();
    rules.milestones().forEach(mark -> allowances.put(mark.name(), mark.quiet()));
  }

  /** It has lasted for that long already. */
  void backdate(Duration age) {
    lastLife -= age.toNanos();
  }

  /**
   * Passes events of the log on and takes them for signs of life.
   *
   * @param isNew whether what is read now was not there when the watch began
   */
  EventSink listening(EventSink sink, BooleanSupplier isNew) {
    return event -> {
      if (event instanceof Event.Milestone milestone) {
        phase = milestone.name();
        allowed = allowances.getOrDefault(phase, LogMilestone.QUIET);
      }
      if (isNew.getAsBoolean() && isLife(event)) {
        life();
      }
      sink.emit(event);
    };
  }

  /** There was a sign of life. */
  void life() {
    lastLife = nanos.getAsLong();
    looks = 0;
    ended |= said;
    said = false;
  }

  /** Whether a silence that was said has ended since this was last asked. */
  boolean hasEnded() {
    boolean hasEnded = ended;
    ended = false;
    return hasEnded;
  }

  /** Whether to look at what its processes do, now; the answer is for {@link #judge}. */
  boolean isLookDue() {
    boolean due = !looking && !said && lasted().compareTo(allowed.multipliedBy(looks + 1L)) > 0;
    looking |= due;
    return due;
  }

  /**
   * What was seen of the processes; a finding when the run is stalled.
   *
   * @param run its id
   * @param isComputing whether its GPUs are busy
   */
  List<Finding> judge(Activity activity, boolean isComputing, String run) {
    looking = false;
    looks++;
    if (lasted().compareTo(allowed) <= 0) {
      return List.of();
    }
    boolean works = isComputing || activity.isWork();
    if (works && looks < MOST_EXCUSED) {
      return List.of();
    }
    said = true;
    List<String> evidence = new ArrayList<>(activity.says());
    boolean seen = !activity.processes().isEmpty();
    if (!seen) {
      evidence.add("what its processes do cannot be seen");
    }
    if (isComputing) {
      evidence.add("its GPUs are busy, as those of workers that wait for each other are");
    }
    return List.of(
        new Finding(
            "run.stalled",
            Severity.WARNING,
            "run " + run,
            "one of them within " + minutes(allowed) + " after " + phase,
            "no line in the log and no new sample for "
                + minutes(lasted())
                + (works || !seen ? "" : ", and its processes do not work"),
            evidence));
  }

  private Duration lasted() {
    return Duration.ofNanos(nanos.getAsLong() - lastLife);
  }

  private boolean isLife(Event event) {
    return event instanceof Event.Progress
        || event instanceof Event.Milestone
        || (event instanceof Event.LogLine line
            && !line.text().isBlank()
            && heartbeats.stream().noneMatch(wait -> wait.matcher(line.text()).find()));
  }

  private static String minutes(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 60 ? seconds + " s" : seconds / 60 + " min";
  }
}
