package dev.eagle3.host.ssh;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Expands what ssh_config(5) allows in paths of keys, certificates and agents: {@code ~}, tokens,
 * and variables in the form {@code ${NAME}}. A token that is not known stays as it is.
 */
final class SshTokens {
  private final SshSettings settings;
  private final Map<Character, String> values = new HashMap<>();

  /**
   * For one destination.
   *
   * @param address what is connected to
   * @param user the account there
   */
  SshTokens(SshSettings settings, SshTarget target, String user, String address, int port) {
    this.settings = settings;
    values.put('d', settings.home().toString());
    values.put('h', address);
    values.put('n', target.host());
    values.put('p', String.valueOf(port));
    values.put('r', user);
    values.put('u', System.getProperty("user.name"));
  }

  /** The path that a text means. */
  Path path(String text) {
    if (text.contains("%l") || text.contains("%L")) {
      // Asking for it may take long.
      String local = localHost();
      values.put('l', local);
      values.put('L', local.replaceFirst("\\..*", ""));
    }
    String expanded =
        PercentTokens.expand(variables(text, settings.environment()), Map.copyOf(values));
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

  private static String localHost() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
