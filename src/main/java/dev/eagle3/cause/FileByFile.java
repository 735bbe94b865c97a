package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A cause that each file proves by itself. */
final class FileByFile implements CauseRule {
  private static final int MOST_EXAMPLES = 3;

  private final String code;
  private final String says;
  private final String fix;
  private final Proof proof;

  /**
   * A cause of this code.
   *
   * @param says what happened, in two sentences at the most
   * @param fix what to do about it
   */
  FileByFile(String code, String says, String fix, Proof proof) {
    this.code = code;
    this.says = says;
    this.fix = fix;
    this.proof = proof;
  }

  /** What in a file proves the cause. */
  @FunctionalInterface
  interface Proof {
    /** The proof in words, behind the name of the file; empty when there is none. */
    Optional<String> of(FileVerdict file, Expectation expected);
  }

  @Override
  public String code() {
    return code;
  }

  @Override
  public Optional<Cause> find(Symptoms symptoms) {
    List<String> subjects = new ArrayList<>();
    List<String> evidence = new ArrayList<>();
    for (FileVerdict file : symptoms.files()) {
      Optional<String> found = proof.of(file, symptoms.expected());
      if (found.isPresent()) {
        subjects.add(file.path());
        if (evidence.size() < MOST_EXAMPLES) {
          evidence.add(nameOf(file) + ": " + found.get());
        }
      }
    }
    if (subjects.isEmpty()) {
      return Optional.empty();
    }
    int more = subjects.size() - evidence.size();
    if (more > 0) {
      evidence.add(more == 1 ? "1 more file" : more + " more files");
    }
    return Optional.of(new Cause(code, says, evidence, "", fix, subjects));
  }

  private static String nameOf(FileVerdict file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }
}
