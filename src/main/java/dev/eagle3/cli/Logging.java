package dev.eagle3.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What libraries log. SSHD logs exceptions that we report ourselves, so it is silent unless the
 * user asks. Configured in code by {@link SilentLogback}: reading an XML file costs more than the
 * whole rest of a short command.
 */
final class Logging {
  private Logging() {}

  /** Sets how much the libraries say, on standard error. */
  static void configure(boolean verbose) {
    if (verbose && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    }
  }
}
