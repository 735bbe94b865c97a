package dev.eagle3.host.ssh;

import java.util.Locale;

/** What is done with the key of a host that is not known; a changed key is refused always. */
enum HostKeyPolicy {
  /** Refused. */
  REFUSE,
  /** The user is asked where there is a terminal, else it is refused. */
  ASK,
  /** Taken, and written down. */
  ACCEPT;

  /** {@code StrictHostKeyChecking} of ssh_config; {@code no} also takes changed keys, for ssh. */
  static HostKeyPolicy ofStrictHostKeyChecking(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "accept-new", "no", "off", "false" -> ACCEPT;
      case "yes", "true", "on" -> REFUSE;
      default -> ASK;
    };
  }
}
