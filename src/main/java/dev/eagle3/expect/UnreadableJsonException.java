package dev.eagle3.expect;

import java.io.IOException;

/** A JSON file is there and is too large, or no JSON object. The message names no class. */
public final class UnreadableJsonException extends IOException {
  private static final long serialVersionUID = 1L;

  UnreadableJsonException(String message) {
    super(message);
  }
}
