package dev.eagle3.host;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * A command that could not be given to the host.
 *
 * @param ending why
 */
public record NeverStarted(Ending.Lost ending) implements RunningCommand {
  @Override
  public InputStream stdout() {
    return InputStream.nullInputStream();
  }

  @Override
  public OutputStream stdin() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public String stderr() {
    return "";
  }

  @Override
  public void close() {
    // There is nothing to end.
  }
}
