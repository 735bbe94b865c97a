package dev.eagle3.host.ssh;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What carries an SSH connection in place of a socket of our own: a channel through a jump host, or
 * a ProxyCommand. No port is opened for it.
 */
interface Carrier extends Closeable {
  /** What the server says; a read blocks until there is something, and ends when the way ends. */
  InputStream input();

  /** What goes to the server; a write blocks while the way is full. */
  OutputStream output();

  /**
   * Why the way ended, once it has: a part of a sentence, fit to print; empty when nothing is
   * known.
   */
  String lastWords();

  /** Ends it, also under a thread that reads or writes; again is harmless. */
  @Override
  void close();
}
