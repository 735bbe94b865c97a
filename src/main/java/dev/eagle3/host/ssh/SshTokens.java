package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Expands what ssh_config(5) allows in paths of keys, certificates, agents and known hosts: {@code
 * ~}, tokens, and variables in the form {@code ${NAME}}. A token that is not known stays as it is.
 */
final class SshTokens {
  private final SshSettings settings;
  private final String jumps;
  private final Map<Character, String> values = new HashMap<>();

  /**
   * For one destination.
   *
   * @param address what is connected to
   * @param user the account there
   * @param options what ssh_config says of it
   */
  SshTokens(
      SshSettings settings,
      SshTarget target,
      String user,
      String address,
      int port,
      SshOptions options) {
    this.settings = settings;
    this.jumps = options.firstSet("proxyjump").orElse("");
    values.put('d', settings.home().toString());
    values.put('h', address);
    values.put('k', options.firstSet("hostkeyalias").orElse(target.host()));
    values.put('n', target.host());
    values.put('p', String.valueOf(port));
    values.put('r', user);
    values.put('u', System.getProperty("user.name"));
  }

  /** The path that a text means. */
  Path path(String text) {
    if (text.contains("%j") || text.contains("%C")) {
      values.put('j', lastJump());
    }
    if (text.contains("%l") || text.contains("%L") || text.contains("%C")) {
      // Asking for it may take long.
      String local = localHost();
      values.put('l', local);
      values.put('L', local.replaceFirst("\\..*", ""));
      values.put('C', connection(local));
    }
    if (text.contains("%i")) {
      values.put('i', userNumber());
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

  /** The host of the last of several, without account and port: what OpenSSH fills in. */
  private String lastJump() {
    return jumps.isEmpty()
        ? ""
        : SshTarget.parse(jumps.substring(jumps.lastIndexOf(',') + 1).strip()).host();
  }

  /** SHA-1 of %l%h%p%r%j in hexadecimal digits; older OpenSSH leaves the last out. */
  private String connection(String local) {
    String whole = local + values.get('h') + values.get('p') + values.get('r') + values.get('j');
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(whole.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-1", impossible);
    }
  }

  private String userNumber() {
    Path self = Path.of("/proc/self");
    try {
      Path own = Files.exists(self) ? self : settings.home();
      return String.valueOf(Files.getAttribute(own, "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
      return "%i";
    }
  }

  private static String localHost() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
