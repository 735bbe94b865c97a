package dev.eagle3.run;

import dev.eagle3.plan.RunId;

/**
 * The folder of a run on its host, {@code STATE/runs/ID}, and the files in it.
 *
 * @param path absolute path on the host
 */
public record RunFolder(String path) {
  /** Refuses a path whose last name is no run id. */
  public RunFolder {
    if (!path.startsWith("/") || !RunId.isRunId(lastName(path))) {
      throw new IllegalArgumentException("not the folder of a run: " + path);
    }
  }

  /** The run that it belongs to. */
  public RunId run() {
    return new RunId(lastName(path));
  }

  /** The state folder that it lies in. */
  public String stateDir() {
    String runs = path.substring(0, path.lastIndexOf('/'));
    return runs.substring(0, Math.max(1, runs.lastIndexOf('/')));
  }

  /** The log: standard output and error of the job. */
  public String log() {
    return path + "/log";
  }

  /** What was launched, as JSON with secrets redacted. */
  public String plan() {
    return path + "/plan.json";
  }

  /** The shell text that runs the job; holds secrets in clear. */
  public String job() {
    return path + "/job.sh";
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
