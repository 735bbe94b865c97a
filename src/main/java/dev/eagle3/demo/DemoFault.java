package dev.eagle3.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Faults that the demo can show; each is named by the code of its cause. */
public enum DemoFault {
  /** The story behind the project: 771 tensors of [512] in place of 4 of [512, 7168]. */
  REPLY_UNWRAPPED("layers.reply-unwrapped"),
  /** The extraction program fails after loading. */
  OUT_OF_MEMORY("gpu.out-of-memory");

  private final String code;

  DemoFault(String code) {
    this.code = code;
  }

  /** The code of the cause that the fault leads to. */
  public String code() {
    return code;
  }

  /** The fault of a code. */
  public static Optional<DemoFault> ofCode(String code) {
    return Arrays.stream(values()).filter(fault -> fault.code.equals(code)).findFirst();
  }

  /** All codes. */
  public static List<String> codes() {
    return Arrays.stream(values()).map(DemoFault::code).toList();
  }
}
