package dev.eagle3.host.ssh;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How to log in, as ssh_config says.
 *
 * @param methods the ways to try, in their order: some of {@code publickey}, {@code
 *     keyboard-interactive}, {@code password}
 * @param identitiesOnly whether an agent's keys count only where a file names them
 * @param batch whether nobody is to be asked
 * @param prompts how often a password is asked for
 * @param agent the socket of the agent; empty: no agent is asked
 * @param certificates files of {@code CertificateFile}
 */
record LoginOptions(
    List<String> methods,
    boolean identitiesOnly,
    boolean batch,
    int prompts,
    Optional<Path> agent,
    List<Path> certificates) {
  static final String PUBLIC_KEY = "publickey";
  static final String KEYBOARD = "keyboard-interactive";
  static final String PASSWORD = "password";

  private static final int USUAL_PROMPTS = 3;
  private static final int MOST_PROMPTS = 20;
  private static final String OF_ENVIRONMENT = "SSH_AUTH_SOCK";

  static LoginOptions of(SshDestination destination, SshSettings settings) {
    SshOptions said = destination.options();
    SshTokens tokens =
        new SshTokens(
            settings,
            destination.target(),
            destination.user(),
            destination.address(),
            destination.port(),
            said);
    return new LoginOptions(
        methods(said),
        isOn(said, "identitiesonly", false),
        isOn(said, "batchmode", false),
        prompts(said),
        agent(said, settings, tokens),
        said.all("certificatefile").stream()
            .filter(file -> !file.equalsIgnoreCase("none"))
            .map(tokens::path)
            .distinct()
            .toList());
  }

  /** The ways to log in that ssh_config leaves, in its order. */
  static List<String> methods(SshOptions said) {
    List<String> allowed = new ArrayList<>();
    if (isOn(said, "pubkeyauthentication", true)) {
      allowed.add(PUBLIC_KEY);
    }
    boolean challenge = isOn(said, "challengeresponseauthentication", true);
    if (isOn(said, "kbdinteractiveauthentication", challenge)) {
      allowed.add(KEYBOARD);
    }
    if (isOn(said, "passwordauthentication", true)) {
      allowed.add(PASSWORD);
    }
    return said.first("preferredauthentications")
        .map(
            order ->
                Arrays.stream(order.split(",", -1))
                    .map(String::strip)
                    .filter(allowed::contains)
                    .distinct()
                    .toList())
        .orElse(allowed);
  }

  private static boolean isOn(SshOptions said, String keyword, boolean otherwise) {
    return said.first(keyword)
        .map(value -> !List.of("no", "false", "off").contains(value.toLowerCase(Locale.ROOT)))
        .orElse(otherwise);
  }

  private static int prompts(SshOptions said) {
    try {
      int number =
          said.first("numberofpasswordprompts").map(Integer::parseInt).orElse(USUAL_PROMPTS);
      return Math.max(0, Math.min(MOST_PROMPTS, number));
    } catch (NumberFormatException wrong) {
      return USUAL_PROMPTS;
    }
  }

  private static Optional<Path> agent(SshOptions said, SshSettings settings, SshTokens tokens) {
    Optional<String> named = said.first("identityagent");
    if (named.isEmpty() || named.get().equals(OF_ENVIRONMENT)) {
      return settings.agentSocket();
    }
    String name = named.get();
    if (name.equalsIgnoreCase("none")) {
      return Optional.empty();
    }
    try {
      if (name.startsWith("$") && !name.startsWith("${")) {
        return Optional.ofNullable(settings.environment().get(name.substring(1))).map(Path::of);
      }
      return Optional.of(tokens.path(name));
    } catch (InvalidPathException noPath) {
      return Optional.empty();
    }
  }
}
