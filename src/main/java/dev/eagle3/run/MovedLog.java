package dev.eagle3.run;

/**
 * A log that is not any more where it belongs, though the job still writes to it.
 *
 * @param path where it can be read: its new name, or, when it has none, a path that leads to it
 *     through a process that has it open
 * @param stands what stands where it belongs: {@code nothing}, {@code file} or {@code folder}
 */
public record MovedLog(String path, String stands) {}
