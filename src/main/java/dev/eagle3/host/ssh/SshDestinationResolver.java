package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Turns a target into a destination, with what ssh_config says of it. */
final class SshDestinationResolver {
  private static final int DEFAULT_PORT = 22;
  private static final List<String> USUAL_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

  /** Every default that {@code ssh -G} prints, also of kinds that nobody can use here. */
  private static final List<String> ALL_USUAL_KEYS =
      Stream.of("rsa", "ecdsa", "ecdsa_sk", "ed25519", "ed25519_sk", "xmss", "dsa")
          .map(kind -> "~/.ssh/id_" + kind)
          .toList();

  private final SshSettings settings;
  private final Consumer<String> notes;

  /**
   * A resolver.
   *
   * @param notes gets one sentence for each thing in ssh_config that is not followed
   */
  SshDestinationResolver(SshSettings settings, Consumer<String> notes) {
    this.settings = settings;
    this.notes = notes;
  }

  /**
   * Resolves a target; asks {@code ssh -G}, else reads the file itself.
   *
   * @throws Failure when a configuration cannot be read, or wants a way to the host that is not
   *     supported
   */
  SshDestination resolve(SshTarget target) {
    SshOptions options =
        new SshProgramOptionsReader(settings).read(target).orElseGet(() -> readFile(target));
    options.notes().forEach(notes);
    String address = expand(options.first("hostname").orElse("%h"), target.host(), "", "");
    refuseOtherWays(target, options);
    String user =
        target.user().or(() -> options.first("user")).orElseGet(SshDestinationResolver::localUser);
    int port =
        target.port().orElseGet(() -> options.first("port").map(this::port).orElse(DEFAULT_PORT));
    boolean chosen = !areUsual(options.all("identityfile"));
    return new SshDestination(
        target,
        user,
        address,
        port,
        options.firstSet("hostkeyalias").orElseGet(() -> KnownHosts.name(address, port)),
        chosen ? identities(options, address, user) : usualIdentities(),
        chosen,
        knownHosts(options),
        paths(options.all("globalknownhostsfile"), List.of(Path.of("/etc/ssh/ssh_known_hosts"))),
        acceptsNew(options),
        options);
  }

  private SshOptions readFile(SshTarget target) {
    return settings
        .configFile()
        .map(file -> new SshConfigFileReader(file, true))
        .orElseGet(() -> new SshConfigFileReader(home(".ssh/config"), false))
        .read(target.host());
  }

  private void refuseOtherWays(SshTarget target, SshOptions options) {
    for (String way : List.of("ProxyJump", "ProxyCommand")) {
      options
          .firstSet(way.toLowerCase(Locale.ROOT))
          .ifPresent(
              value -> {
                throw Failure.of(
                        Exit.UNREACHABLE,
                        target.toString(),
                        "ssh_config leads there through "
                            + way
                            + " "
                            + Printable.line(value, 200)
                            + ", which is not supported yet")
                    .orTry("run eagle3 on a machine that reaches the host directly");
              });
    }
  }

  private int port(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException wrong) {
      throw Failure.of(Exit.LOCAL_FILE, "ssh_config", "Port " + Printable.line(text, 40))
          .causedBy(wrong);
    }
  }

  private static boolean acceptsNew(SshOptions options) {
    // "no" takes changed keys too, which nothing here ever does.
    String policy = options.first("stricthostkeychecking").orElse("ask").toLowerCase(Locale.ROOT);
    return List.of("accept-new", "no", "off", "false").contains(policy);
  }

  /** {@code ssh -G} prints its usual files where none is configured, from five to seven of them. */
  private static boolean areUsual(List<String> files) {
    return files.isEmpty()
        || (files.size() > USUAL_KEYS.size()
            && files.stream().allMatch(file -> ALL_USUAL_KEYS.contains(file)));
  }

  private List<Path> usualIdentities() {
    return USUAL_KEYS.stream().map(name -> home(".ssh/" + name)).toList();
  }

  private List<Path> identities(SshOptions options, String address, String user) {
    return options.all("identityfile").stream()
        .filter(file -> !file.equalsIgnoreCase("none"))
        .map(file -> path(expand(file, address, user, settings.home().toString())))
        .distinct()
        .toList();
  }

  private List<Path> knownHosts(SshOptions options) {
    List<Path> usual = List.of(home(".ssh/known_hosts"), home(".ssh/known_hosts2"));
    List<Path> said = paths(options.all("userknownhostsfile"), usual);
    // ssh names the account's home there, whatever HOME says.
    Path account = Path.of(System.getProperty("user.home"), ".ssh");
    boolean untouched =
        said.equals(List.of(account.resolve("known_hosts"), account.resolve("known_hosts2")));
    return untouched ? usual : said;
  }

  /** Paths of one line, divided by blanks, which {@code ssh -G} prints without their quotes. */
  private List<Path> paths(List<String> values, List<Path> otherwise) {
    if (values.isEmpty()) {
      return otherwise;
    }
    List<Path> found = new ArrayList<>();
    for (String value : values) {
      if (value.indexOf(' ') >= 0 && Files.exists(path(value))) {
        found.add(path(value));
      } else {
        Arrays.stream(value.split(" +", -1))
            .filter(one -> !one.isEmpty() && !one.equalsIgnoreCase("none"))
            .map(this::path)
            .forEach(found::add);
      }
    }
    return List.copyOf(found);
  }

  private Path path(String text) {
    return text.startsWith("~/") ? home(text.substring(2)) : Path.of(text).toAbsolutePath();
  }

  private Path home(String below) {
    return settings.home().resolve(below);
  }

  /** The tokens of ssh_config(5) that are known here; others stay as they are. */
  private static String expand(String text, String host, String user, String home) {
    StringBuilder expanded = new StringBuilder();
    boolean token = false;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (!token) {
        token = c == '%';
        expanded.append(token ? "" : String.valueOf(c));
        continue;
      }
      token = false;
      switch (c) {
        case '%' -> expanded.append('%');
        case 'h', 'n' -> expanded.append(host);
        case 'r' -> expanded.append(user);
        case 'd' -> expanded.append(home);
        case 'u' -> expanded.append(localUser());
        default -> expanded.append('%').append(c);
      }
    }
    return expanded.toString();
  }

  private static String localUser() {
    return System.getProperty("user.name");
  }
}
