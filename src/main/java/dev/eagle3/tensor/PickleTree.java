package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Persistent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read from a pickle.
 *
 * @param root the object; of a pickle that ends early or is broken, what was read so far; null when
 *     that is nothing
 * @param length how many bytes the pickle has, STOP included, or how many were read
 * @param protocol as the pickle says
 * @param globals every class and function that it names, in order of first appearance
 * @param persistents every reference to something outside the pickle, in order
 * @param problem why it could not be read to the end; null when it was
 * @param framesHold whether every frame of protocol 4 ends where an opcode ends
 * @param refused the first opcode that torch's default loader does not take; null when there is
 *     none
 */
record PickleTree(
    @Nullable Node root,
    int length,
    int protocol,
    List<String> globals,
    List<Persistent> persistents,
    @Nullable Problem problem,
    boolean framesHold,
    @Nullable Opcode refused) {

  /**
   * Where and why reading stopped.
   *
   * @param offset of the opcode, in bytes from the start of the pickle
   * @param opcode its name
   */
  record Problem(PickleFault.Kind kind, int offset, String opcode, String says) {
    String line() {
      return "at byte " + Findings.grouped(offset) + ", " + opcode + ": " + says;
    }
  }

  boolean endsEarly() {
    return problem != null && problem.kind() == PickleFault.Kind.ENDS_EARLY;
  }
}
