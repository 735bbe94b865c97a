package dev.eagle3.preflight;

/**
 * One question that is asked before anything on a host is touched.
 *
 * @param name as {@code --skip} and {@code docs/preflight.md} have it, kebab-case
 * @param phase the phase of {@code extract} whose lines its own stand among: host, gpus, output or
 *     preflight
 * @param judge what answers it
 */
record Check(String name, String phase, Judge judge) {

  /** Answers one question from what is known. Pure: asks no host. */
  interface Judge {
    /** Says into {@code judgement} what it thinks; nothing when it does not apply. */
    void judge(Situation situation, Judgement judgement);
  }
}
