package dev.eagle3.files;

/** What a path leads to. */
public enum FileKind {
  /** A regular file. */
  FILE,
  /** A folder. */
  FOLDER,
  /** A symbolic link, when it was not followed. */
  LINK,
  /** A device, socket, pipe, or something unknown. */
  OTHER
}
