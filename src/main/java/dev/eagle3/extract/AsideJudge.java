package dev.eagle3.extract;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.AsideFolder;
import dev.eagle3.output.OutputNotes;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judges what may be deleted of that which was set aside: never what belongs to a run that lives,
 * and what may be the only good copy only when its run is named. Asks a host for states of runs,
 * and verifies output by its headers; each once.
 */
public final class AsideJudge {
  private final HostScripts scripts;
  private final Optional<String> stateDir;
  private final OutputNotes notes;
  private final Map<RunId, Optional<RunStatus>> statuses = new HashMap<>();
  private final Map<RunId, Optional<String>> objections = new HashMap<>();

  /**
   * What may become of a folder.
   *
   * @param deletable whether it may be deleted
   * @param why why not; or, when its run was named, what speaks against it all the same; may be
   *     empty
   */
  public record Judgement(boolean deletable, String why) {}

  /** A judge of one host, of which these notes are. */
  public AsideJudge(HostScripts scripts, Optional<String> stateDir, OutputNotes notes) {
    this.scripts = scripts;
    this.stateDir = stateDir;
    this.notes = notes;
  }

  /**
   * Judges one folder.
   *
   * @param named whether the user named its run
   * @throws Failure as {@link HostScripts#run}
   */
  public Judgement judge(AsideFolder folder, boolean named) {
    Optional<RunStatus> status = status(folder.run());
    if (status.isPresent() && !status.get().state().isOver()) {
      return new Judgement(false, "its run is not over: " + status.get().state().says());
    }
    if (folder.removing()) {
      return new Judgement(true, "its removal was interrupted");
    }
    Optional<String> objection =
        folder.kind() == AsideFolder.Kind.UNDONE
            ? restored(folder)
            : objections.computeIfAbsent(folder.run(), this::ownOutput);
    return objection
        .map(why -> new Judgement(named, why + (named ? "" : "; name the run to delete it")))
        .orElseGet(() -> new Judgement(true, ""));
  }

  /** Whether the run is over, or unknown: then its folder of plan and log may go, too. */
  public boolean isOver(RunId run) {
    return status(run).map(known -> known.state().isOver()).orElse(true);
  }

  private Optional<RunStatus> status(RunId run) {
    return statuses.computeIfAbsent(run, id -> RunStateReader.find(scripts, stateDir, id.text()));
  }

  /** What speaks against deleting what a run replaced: its own output is not all good. */
  private Optional<String> ownOutput(RunId run) {
    if (notes.isUndone(run)) {
      // Then what was set aside is back in its place, or on the way there.
      return Optional.of("its run was undone");
    }
    Optional<String> folder = notes.whereabouts(run).flatMap(OutputNotes.Whereabouts::folder);
    return folder.isEmpty()
        ? Optional.of("where its run's own output is, is unknown")
        : whyNotGood(folder.get(), plan(run)).map(why -> "its run's own output " + why);
  }

  /** What speaks against deleting what a run wrote: what was put back in its place is not good. */
  private Optional<String> restored(AsideFolder folder) {
    return whyNotGood(folder.target(), Optional.empty())
        .map(why -> "what stands in the output folder now " + why);
  }

  private Optional<String> whyNotGood(String folder, Optional<ExtractionPlan> plan) {
    FileTree files = scripts.host().files();
    try {
      if (files.stat(folder).isEmpty()) {
        return Optional.of("is missing");
      }
      ExpectationSources sources =
          plan.map(made -> ExpectationSources.ofRun(Expectation.NONE, made))
              .orElseGet(() -> ExpectationSources.ofFolder(Expectation.NONE, folder));
      Expectation expected = new ExpectationFinder(files).find(sources).expectation();
      VerifyResult result =
          new FolderVerifier(files, FolderVerifier.IN_FLIGHT_REMOTE)
              .verify(List.of(folder), expected, event -> {});
      if (result.good() == 0) {
        return Optional.of("has no good sample");
      }
      return result.exit() == Exit.DONE
          ? Optional.empty()
          : Optional.of("is not all good: " + result.good() + " of " + result.total());
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              scripts.host().name(),
              "the connection was lost while output was verified: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private Optional<ExtractionPlan> plan(RunId run) {
    Optional<RunStatus> status = status(run);
    if (status.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(PlanReader.read(scripts.host().files(), status.get().folder()));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
