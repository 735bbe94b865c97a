package dev.eagle3.host.ssh;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Expands what ssh_config(5) allows in paths: {@code ~}, tokens, and variables in the form {@code
 * ${NAME}}. A token that is not known stays as it is.
 */
final class SshTokens {
  private final SshDestination destination;
  private final SshSettings settings;

  SshTokens(SshDestination destination, SshSettings settings) {
    this.destination = destination;
    this.settings = settings;
  }

  /** The path that a text means. */
  Path path(String text) {
    String expanded = tokens(variables(text, settings.environment()));
    return expanded.startsWith("~/")
        ? settings.home().resolve(expanded.substring(2))
        : Path.of(expanded).toAbsolutePath();
  }

  private static String variables(String text, Map<String, String> environment) {
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    for (int begin = text.indexOf("${"); begin >= 0; begin = text.indexOf("${", at)) {
      int end = text.indexOf('}', begin);
      if (end < 0) {
        break;
      }
      expanded.append(text, at, begin);
      expanded.append(environment.getOrDefault(text.substring(begin + 2, end), ""));
      at = end + 1;
    }
    return expanded.append(text.substring(at)).toString();
  }

  private String tokens(String text) {
    StringBuilder expanded = new StringBuilder();
    boolean token = false;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (token) {
        expanded.append(value(c));
      } else if (c != '%') {
        expanded.append(c);
      }
      token = !token && c == '%';
    }
    return token ? expanded.append('%').toString() : expanded.toString();
  }

  private String value(char token) {
    return switch (token) {
      case '%' -> "%";
      case 'd' -> settings.home().toString();
      case 'h' -> destination.address();
      case 'k' -> destination.hostKeyName();
      case 'L' -> localHost().replaceFirst("\\..*", "");
      case 'l' -> localHost();
      case 'n' -> destination.target().host();
      case 'p' -> String.valueOf(destination.port());
      case 'r' -> destination.user();
      case 'u' -> System.getProperty("user.name");
      default -> "%" + token;
    };
  }

  private static String localHost() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
