package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a user writes for a host: {@code [user@]host[:port]}, also with {@code ssh://} before it,
 * where host is a name, an address, or an alias of ssh_config; an IPv6 address stands in brackets
 * where a port follows.
 *
 * @param user the account; empty: as ssh_config says, else the local one
 * @param host name, address or alias, without brackets
 * @param port empty: as ssh_config says, else 22
 */
public record SshTarget(Optional<String> user, String host, OptionalInt port) {
  private static final int MOST_CHARACTERS = 300;
  private static final String SCHEME = "ssh://";
  private static final String IPV6_CHARACTERS = "0123456789abcdefABCDEF:.";

  /**
   * Reads what a user wrote.
   *
   * @throws Failure {@code USAGE} for anything that is no host; also for names that begin with a
   *     dash or hold blanks or control characters, which ssh could take for options
   */
  public static SshTarget parse(String text) {
    boolean isUri = text.startsWith(SCHEME);
    String words = isUri ? withoutPath(text) : text;
    int at = words.lastIndexOf('@');
    Optional<String> user = at < 0 ? Optional.empty() : Optional.of(words.substring(0, at));
    String rest = words.substring(at + 1);
    String host = rest;
    OptionalInt port = OptionalInt.empty();
    if (rest.startsWith("[")) {
      int end = rest.indexOf(']');
      if (end < 0) {
        throw wrong(text, "a [ without its ]");
      }
      host = rest.substring(1, end);
      String after = rest.substring(end + 1);
      if (after.startsWith(":")) {
        port = OptionalInt.of(portOf(text, after.substring(1)));
      } else if (!after.isEmpty()) {
        throw wrong(text, "only :PORT may stand after the ]");
      }
    } else if (rest.indexOf(':') >= 0 && rest.indexOf(':') == rest.lastIndexOf(':')) {
      int colon = rest.indexOf(':');
      host = rest.substring(0, colon);
      port = OptionalInt.of(portOf(text, rest.substring(colon + 1)));
    }
    // In a URI the sign before a zone is written %25.
    host = isUri && host.indexOf(':') >= 0 ? host.replace("%25", "%") : host;
    check(text, "host", host);
    checkAddress(text, host);
    if (user.isPresent()) {
      check(text, "user", user.get());
    }
    return new SshTarget(user, host, port);
  }

  private static String withoutPath(String text) {
    String words = text.substring(SCHEME.length());
    int slash = words.indexOf('/');
    if (slash >= 0 && slash < words.length() - 1) {
      throw wrong(text, SCHEME + " names a host, and no path on it");
    }
    return slash < 0 ? words : words.substring(0, slash);
  }

  /** As a user writes it. */
  @Override
  public String toString() {
    String shown = host.indexOf(':') >= 0 && port.isPresent() ? "[" + host + "]" : host;
    return user.map(name -> name + "@").orElse("")
        + shown
        + (port.isPresent() ? ":" + port.getAsInt() : "");
  }

  /** The words that tell {@code ssh} the same. */
  String sshWords() {
    return (port.isPresent() ? "-p " + port.getAsInt() + " " : "")
        + user.map(name -> name + "@").orElse("")
        + host;
  }

  private static void check(String text, String what, String name) {
    if (name.isEmpty()) {
      throw wrong(text, "the " + what + " is empty");
    }
    if (name.startsWith("-")) {
      throw wrong(text, "a " + what + " cannot begin with -");
    }
    if (name.length() > MOST_CHARACTERS) {
      throw wrong(text, "the " + what + " is too long");
    }
    if (name.chars().anyMatch(c -> c <= ' ' || c == 0x7f || "\"'`$\\;&<>|(){}".indexOf(c) >= 0)) {
      throw wrong(text, "a " + what + " cannot hold blanks, quotes or shell characters");
    }
  }

  /** Colons belong to IPv6 addresses alone, and so does a zone: {@code fe80::1%eth0}. */
  private static void checkAddress(String text, String host) {
    int percent = host.indexOf('%');
    String address = percent < 0 ? host : host.substring(0, percent);
    if (address.indexOf(':') < 0) {
      if (percent >= 0) {
        throw wrong(text, "only an IPv6 address has a zone (%)");
      }
      return;
    }
    boolean isAddress =
        address.indexOf(':') != address.lastIndexOf(':')
            && address.chars().allMatch(c -> IPV6_CHARACTERS.indexOf(c) >= 0);
    if (!isAddress) {
      throw wrong(text, "more than one colon, and no IPv6 address");
    }
    if (percent == host.length() - 1) {
      throw wrong(text, "a % without a zone after it");
    }
  }

  private static int portOf(String text, String digits) {
    if (digits.matches("[0-9]{1,5}")) {
      int port = Integer.parseInt(digits);
      if (port >= 1 && port <= 65_535) {
        return port;
      }
    }
    throw wrong(text, "the port must be 1 to 65535");
  }

  private static Failure wrong(String text, String why) {
    return Failure.of(Exit.USAGE, "host '" + Printable.line(text, 80) + "'", why)
        .orTry("--host user@name:port");
  }
}
