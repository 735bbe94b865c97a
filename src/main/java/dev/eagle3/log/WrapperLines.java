package dev.eagle3.log;

import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFailure;
import java.util.List;

/** What the wrapper of a job says itself in the log (job.sh), whatever the extractor is. */
final class WrapperLines {
  /** The rules for its lines. */
  static final List<LogFailure> RULES =
      List.of(
          new LogFailure(
              "setup.failed",
              Pattern.compile(
                  "^eagle3: the job was not started: setup line (\\d+) of \\d+ ended with code"
                      + " (\\d+): (.*)$"),
              "eagle3: the job was not started: setup line 2 of 3 ended with code 1: module load x",
              "line $1 of setup ended with code $2, so the job was not started: $3",
              "the line by hand, in a shell on the host; what it printed stands above in the log",
              LogFailure.Kind.VERDICT),
          new LogFailure(
              "host.out-of-memory",
              Pattern.compile(
                  "^eagle3: the kernel ended (\\d+) process(?:es)? in the job's control group for lack of"
                      + " memory"
                      + "(?:, the limit is (\\d+) MiB)?$"),
              "eagle3: the kernel ended 1 process in the job's control group for lack of memory, the"
                  + " limit is 131072 MiB",
              "the kernel ended processes in the job's control group for lack of memory ($1)"
                  + "{: the limit of its control group is $2 MiB}",
              "more memory for the container or the unit, a smaller --batch-size, or fewer"
                  + " processes that prepare data",
              LogFailure.Kind.KERNEL));

  private WrapperLines() {}
}
