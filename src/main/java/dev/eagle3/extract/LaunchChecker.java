package dev.eagle3.extract;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.preflight.Preflight;
import java.time.InstantSource;

/** All that {@link Extraction} looks at before it touches anything, and nothing else. */
public final class LaunchChecker {
  private LaunchChecker() {}

  /**
   * Looks; changes nothing on the host and asks nobody. Blocks for some seconds.
   *
   * @param host where; stays the caller's to close
   * @throws Failure {@code REFUSED} when a launch is certain to be refused or to fail, as far as
   *     can be seen; others as {@link HostScripts#run}
   */
  public static void check(
      Host host, ExtractionRequest request, EventSink sink, InstantSource clock) {
    HostScripts scripts = new HostScripts(host, request.comeBack());
    new Preflight(scripts, request.plan(), request.preflight(), sink, clock).check(true);
    HostPreparer.Looked looked = new HostPreparer(scripts, request, sink, question -> false).look();
    looked
        .live()
        .ifPresent(
            run -> sink.emit(new Event.Check("run", "replace", "ok", "would " + run.says())));
    if (looked.look().isFree() && request.plan().clearGpus() != ClearGpus.NONE) {
      sink.emit(new Event.Check("gpus", "holders", "ok", "nobody that can be seen holds the GPUs"));
    }
    sink.emit(
        new Event.Check("output", "previous-output", "ok", "the output folder can be made ready"));
  }
}
