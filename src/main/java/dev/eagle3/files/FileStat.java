package dev.eagle3.files;

/**
 * What a machine says of one file.
 *
 * @param path its whole path, as it was asked for or listed
 * @param kind what it is
 * @param bytes its size in bytes
 * @param modifiedSeconds last modification, in seconds since the epoch
 * @param permissions the nine permission bits, for example {@code 0644}
 */
public record FileStat(
    String path, FileKind kind, long bytes, long modifiedSeconds, int permissions) {

  /** The last name of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
