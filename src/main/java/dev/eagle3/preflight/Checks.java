package dev.eagle3.preflight;

import java.util.List;
import java.util.stream.Stream;

/** All checks, in the order in which they are told. */
final class Checks {
  /** Each under a name of its own. */
  static final List<Check> ALL =
      Stream.of(
              HostChecks.ALL,
              LimitChecks.ALL,
              JobChecks.ALL,
              VersionChecks.ALL,
              ModelChecks.ALL,
              DataChecks.ALL,
              PlaceChecks.ALL,
              DiskChecks.ALL,
              GpuChecks.ALL,
              CudaChecks.ALL)
          .flatMap(List::stream)
          .toList();

  private Checks() {}
}
