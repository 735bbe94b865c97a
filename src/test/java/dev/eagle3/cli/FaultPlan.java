package dev.eagle3.cli;

import dev.eagle3.cli.FaultCase.Phase;
import dev.eagle3.testing.Operations;
import dev.eagle3.testing.Operations.Operation;
import dev.eagle3.testing.Operations.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which faults are tried where, from what one undisturbed extraction asks of its host.
 *
 * <p>Whole: every operation, both sides, every fault that can be met there. Few: every step before
 * and at the launch that changes something, and three that only look; of what comes after it each
 * kind of operation once while the run lives and once after its end, where all looks are one kind;
 * the fault and the side go round, so that all of them are met. In addition the connection is cut
 * after each step that is hard to take back, at the launch all is killed, and the job once more
 * while it is watched. A run can be killed only while it lives.
 */
final class FaultPlan {
  private static final List<Fault> ANYWHERE = List.of(Fault.CONNECTION, Fault.CLIENT, Fault.SERVER);
  private static final List<Fault> OF_RUN = List.of(Fault.JOB, Fault.WRAPPER, Fault.RUN);

  /** The steps that end processes, move output or start something. */
  private static final Set<String> CHANGING = Set.of("clear-gpus 1", "set-aside 2", "launch 1");

  private final List<Met> met;

  private FaultPlan(List<Met> met) {
    this.met = met;
  }

  private record Met(Operation operation, Phase phase) {
    FaultCase with(Side side, Fault fault) {
      return new FaultCase(operation, phase, side, fault);
    }
  }

  /** Runs an extraction in which nothing happens, and takes down what it asks of the host. */
  static FaultPlan record(FaultBench bench) throws Exception {
    bench.reset();
    List<Met> met = Collections.synchronizedList(new ArrayList<>());
    Operations operations =
        new Operations(
            (operation, side) -> {
              if (side == Side.BEFORE) {
                met.add(new Met(operation, phase(bench)));
              }
              return false;
            });
    CommandLineRun run = FaultTrial.undisturbed(bench, operations);
    if (run.code() != 0) {
      throw new AssertionError("nothing was done to it, and it failed: " + run.err());
    }
    return new FaultPlan(met);
  }

  private static Phase phase(FaultBench bench) {
    try {
      List<String> ids = bench.ids();
      if (ids.isEmpty()) {
        return Phase.PREPARING;
      }
      RunTruth truth = RunTruth.of(bench.runs(), ids.get(0));
      if (!truth.exists()) {
        return Phase.PREPARING;
      }
      return truth.wrapper() != 0 && truth.exit().isEmpty() ? Phase.RUNNING : Phase.OVER;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** All of them. */
  List<FaultCase> whole() {
    List<FaultCase> cases = new ArrayList<>();
    for (Met one : met) {
      for (Side side : Side.values()) {
        for (Fault fault : Fault.values()) {
          if (!fault.isOfRun() || isAlive(one, side)) {
            cases.add(one.with(side, fault));
          }
        }
      }
    }
    return cases;
  }

  /** Few of them. */
  List<FaultCase> few() {
    Set<FaultCase> cases = new LinkedHashSet<>();
    Map<String, Integer> kinds = new HashMap<>();
    boolean isWatched = false;
    int turn = 0;
    for (Met one : met) {
      boolean isStep = one.phase() == Phase.PREPARING && !isLook(one.operation());
      int times = kinds.merge(one.phase() + kind(one.operation()), 1, Integer::sum);
      if (!isStep && times > (one.phase() == Phase.PREPARING ? ANYWHERE.size() : 1)) {
        continue;
      }
      // Three faults and two sides go round together through all six pairs.
      Side side = turn % 2 == 0 ? Side.BEFORE : Side.AFTER;
      cases.add(one.with(side, ANYWHERE.get(turn % ANYWHERE.size())));
      if (CHANGING.contains(one.operation().toString())) {
        cases.add(one.with(Side.AFTER, Fault.CONNECTION));
      }
      if (one.operation().name().equals("launch")) {
        cases.add(one.with(Side.AFTER, Fault.CLIENT));
        OF_RUN.forEach(fault -> cases.add(one.with(Side.AFTER, fault)));
      }
      if (one.phase() == Phase.RUNNING && !isWatched) {
        isWatched = true;
        cases.add(one.with(side, Fault.JOB));
      }
      turn++;
    }
    return List.copyOf(cases);
  }

  private static String kind(Operation operation) {
    return isLook(operation) ? "look" : operation.name();
  }

  /** Whether it changes nothing, and nothing is brought home by it. */
  private static boolean isLook(Operation operation) {
    String name = operation.name();
    return name.startsWith("probe-")
        || name.startsWith("look-")
        || (name.startsWith("file ") && !name.equals("file open"))
        || operation.toString().equals("set-aside 1");
  }

  private static boolean isAlive(Met one, Side side) {
    return one.phase() == Phase.RUNNING
        || (side == Side.AFTER && one.operation().name().equals("launch"));
  }
}
