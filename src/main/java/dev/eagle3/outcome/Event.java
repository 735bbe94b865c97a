package dev.eagle3.outcome;

import java.util.List;

/**
 * Something that happened, as text and {@code --json} both show it. Each record is one {@code type}
 * of the JSON Lines, {@code docs/json.md} lists them, and a test holds that page to these records.
 * Texts in events may be hostile (names, log lines): whoever prints them escapes them.
 */
public sealed interface Event {

  /** The word in the JSON field {@code type}. */
  String type();

  /**
   * One line of a phase of {@code extract}: something was looked at or done.
   *
   * @param phase host, preflight, gpus, output, run, load or samples; profile for {@code init}
   * @param name kebab-case name of the check or step
   * @param verdict ok, note, warning or refused
   * @param says one line
   */
  record Check(String phase, String name, String verdict, String says) implements Event {
    @Override
    public String type() {
      return "check";
    }
  }

  /**
   * A process that holds a GPU.
   *
   * @param pid its process id on the host
   * @param user its owner
   * @param ageSeconds how long it has been running; -1 when unknown
   * @param memoryMiB GPU memory it uses in MiB; -1 when unknown
   * @param gpus indices of the GPUs it holds
   * @param command its command line, cut
   * @param unit systemd unit or container it belongs to; empty when none
   * @param verdict what becomes of it: held (it stays), to-end, ended, spared, asked or refused
   */
  record Holder(
      long pid,
      String user,
      long ageSeconds,
      long memoryMiB,
      List<Integer> gpus,
      String command,
      String unit,
      String verdict)
      implements Event {
    /** Copies the list. */
    public Holder {
      gpus = List.copyOf(gpus);
    }

    @Override
    public String type() {
      return "holder";
    }
  }

  /**
   * A run was launched.
   *
   * @param run its id
   * @param host the host as the user named it
   * @param pid the wrapper's process id on the host
   * @param log path of its log on the host
   * @param output path of its output folder on the host
   */
  record Launch(String run, String host, long pid, String log, String output) implements Event {
    @Override
    public String type() {
      return "launch";
    }
  }

  /**
   * A line of the log that marks a step of the extraction program.
   *
   * @param name kebab-case, from the extractor's YAML
   * @param says the line's text
   */
  record Milestone(String name, String says) implements Event {
    @Override
    public String type() {
      return "milestone";
    }
  }

  /**
   * How far something is.
   *
   * @param what what is counted: shards, batches, samples, files, bytes
   * @param done how many are done
   * @param total of how many; -1 when unknown
   * @param rate per second; NaN when unknown
   * @param etaSeconds seconds to go; -1 when unknown
   */
  record Progress(String what, long done, long total, double rate, long etaSeconds)
      implements Event {
    @Override
    public String type() {
      return "progress";
    }
  }

  /**
   * What a run uses of its host.
   *
   * @param diskFreeBytes room left where its samples are saved; -1 when unknown
   * @param gpus how many GPUs it uses; 0 when the host does not say
   * @param gpuUsedMiB memory in use on them, in MiB; -1 when unknown
   * @param gpuTotalMiB memory that they have, in MiB; -1 when unknown
   */
  record Usage(long diskFreeBytes, int gpus, long gpuUsedMiB, long gpuTotalMiB) implements Event {
    @Override
    public String type() {
      return "usage";
    }
  }

  /**
   * One line of the run's log, as bytes became a line; only {@code tail-log} shows all of them.
   *
   * @param offset byte offset of the line's start in the log
   * @param text the line without its end, cut at 8 KiB
   * @param stream which kind: line, or error for a line that names an error
   */
  record LogLine(long offset, String text, String stream) implements Event {
    @Override
    public String type() {
      return "log";
    }
  }

  /**
   * One verified file.
   *
   * @param path where it is
   * @param verdict good, bad, or skipped for a file that is no sample
   * @param tokens T of the sample; -1 when unknown
   * @param says its shape in short, for example {@code 4 × [512, 7168] bfloat16}
   * @param bytes its size
   */
  record FileChecked(String path, String verdict, long tokens, String says, long bytes)
      implements Event {
    @Override
    public String type() {
      return "file";
    }
  }

  /** One thing that is wrong. */
  record Found(Finding finding) implements Event {
    @Override
    public String type() {
      return "finding";
    }
  }

  /** The reason behind findings. */
  record Named(Cause cause) implements Event {
    @Override
    public String type() {
      return "cause";
    }
  }

  /**
   * The state of a run.
   *
   * @param run its id
   * @param state finished, killed, running, orphaned, elsewhere or lost
   * @param code exit code of the job; -1 when it has none
   * @param says one line that explains it
   * @param pids processes of the run that still live
   * @param host the host as the user named it; empty where that is not asked
   * @param output path of its output folder on the host; empty when unknown
   * @param ageSeconds how long ago it was launched; -1 when unknown
   * @param logBytes size of its log; -1 when unknown
   * @param logAgeSeconds how long ago its log was last written; -1 when unknown
   * @param samples how many tensor files it has saved; -1 when unknown
   */
  record State(
      String run,
      String state,
      int code,
      String says,
      List<Long> pids,
      String host,
      String output,
      long ageSeconds,
      long logBytes,
      long logAgeSeconds,
      long samples)
      implements Event {
    /** Copies the list. */
    public State {
      pids = List.copyOf(pids);
    }

    /** The state alone. */
    public State(String run, String state, int code, String says, List<Long> pids) {
      this(run, state, code, says, pids, "", "", -1, -1, -1, -1);
    }

    @Override
    public String type() {
      return "state";
    }
  }

  /**
   * A folder that was set aside for a run.
   *
   * @param run its id
   * @param kind what is in it
   * @param path where it is on the host
   * @param bytes its size on disk; -1 when unknown
   * @param entries how many files and folders stand right in it; -1 when unknown
   * @param ageSeconds how long it has been there; -1 when unknown
   * @param verdict chosen, when it is to be deleted, or stays
   * @param says why it stays, or what speaks against deleting it; may be empty
   */
  record Aside(
      String run,
      String kind,
      String path,
      long bytes,
      long entries,
      long ageSeconds,
      String verdict,
      String says)
      implements Event {
    @Override
    public String type() {
      return "aside";
    }
  }

  /**
   * A file that was brought home, or was not; or a bad one that was moved to quarantine.
   *
   * @param from path on the host
   * @param to local path; of a file that was moved, path on its machine
   * @param bytes its size
   * @param verdict pulled, resumed, equal, failed or moved
   */
  record Transfer(String from, String to, long bytes, String verdict) implements Event {
    @Override
    public String type() {
      return "transfer";
    }
  }

  /**
   * A step that {@code --dry-run} would take.
   *
   * @param name kebab-case
   * @param shell the shell text
   */
  record Step(String name, String shell) implements Event {
    @Override
    public String type() {
      return "step";
    }
  }

  /**
   * The last line before the end.
   *
   * @param good how many are good
   * @param total of how many
   * @param says what was found in short, for example {@code 4 × [T, 7168] bfloat16}
   * @param seconds how long it took
   * @param where host and folder
   */
  record Summary(long good, long total, String says, long seconds, String where) implements Event {
    @Override
    public String type() {
      return "summary";
    }
  }

  /** A failure as it is printed; see {@link Failure}. */
  record Failed(int exit, String subject, String problem, String tryNext) implements Event {
    @Override
    public String type() {
      return "failure";
    }
  }

  /** What to do next: a command with a word about it, for example how to come back to a run. */
  record Hint(String says, String command) implements Event {
    @Override
    public String type() {
      return "hint";
    }
  }

  /** Always the last event. */
  record End(int exit, String meaning) implements Event {
    @Override
    public String type() {
      return "end";
    }
  }
}
