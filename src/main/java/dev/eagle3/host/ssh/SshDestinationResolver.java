package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Turns a target into a destination, with what ssh_config says of it. */
final class SshDestinationResolver {
  private static final int DEFAULT_PORT = 22;
  private static final int MOST_PORT = 65_535;
  private static final List<String> USUAL_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

  private static final List<Path> SYSTEM_KNOWN_HOSTS =
      List.of(Path.of("/etc/ssh/ssh_known_hosts"), Path.of("/etc/ssh/ssh_known_hosts2"));

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
   * @param jumps the jump hosts that lead there, in place of those of ssh_config
   * @throws Failure when a configuration cannot be read, or wants a way to the host that is not
   *     supported
   */
  SshDestination resolve(SshTarget target, Optional<String> jumps) {
    Optional<SshOptions> resolved = new SshProgramOptionsReader(settings).read(target, jumps);
    SshOptions options = resolved.orElseGet(() -> readFile(target, jumps));
    options.notes().forEach(notes);
    String address = options.first("hostname").orElse(target.host());
    // ssh prints it with its tokens filled in, and a zone looks like one.
    address = resolved.isPresent() ? address : address(target, address);
    return destination(target, address, options, resolved.isPresent());
  }

  private SshDestination destination(
      SshTarget target, String address, SshOptions options, boolean bySsh) {
    String user =
        target.user().or(() -> options.first("user")).orElseGet(SshDestinationResolver::localUser);
    int port =
        target
            .port()
            .orElseGet(
                () -> options.first("port").map(SshDestinationResolver::port).orElse(DEFAULT_PORT));
    SshTokens tokens = new SshTokens(settings, target, user, address, port, options);
    boolean chosen = !areUsual(options.all("identityfile"));
    SshDestination destination =
        new SshDestination(
            target,
            user,
            address,
            port,
            options.firstSet("hostkeyalias").orElseGet(() -> KnownHosts.name(address, port)),
            chosen ? identities(options, tokens) : usualIdentities(),
            chosen,
            knownHosts(options, tokens, bySsh),
            // ssh fills in nothing there but ~.
            paths(options.all("globalknownhostsfile"), SYSTEM_KNOWN_HOSTS, this::path),
            HostKeyPolicy.ofStrictHostKeyChecking(
                options.first("stricthostkeychecking").orElse("ask")),
            options);
    new UnfollowedOptions(options, target.toString()).notes().forEach(notes);
    return destination;
  }

  private static String address(SshTarget target, String name) {
    return name.equals(target.host())
        ? name
        : PercentTokens.expand(name, Map.of('h', target.host(), 'n', target.host()));
  }

  private SshOptions readFile(SshTarget target, Optional<String> jumps) {
    SshOptions options = new SshOptions();
    jumps.ifPresent(list -> options.add("proxyjump", list));
    new SshConfigFileReader(settings, target, options).read();
    return options;
  }

  private static int port(String text) {
    int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > MOST_PORT) {
      throw Failure.of(
          Exit.LOCAL_FILE, "ssh_config", "Port " + Printable.line(text, 40) + " is no port");
    }
    return port;
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

  private static List<Path> identities(SshOptions options, SshTokens tokens) {
    return options.all("identityfile").stream()
        .filter(file -> !file.equalsIgnoreCase("none"))
        .map(tokens::path)
        .distinct()
        .toList();
  }

  private List<Path> knownHosts(SshOptions options, SshTokens tokens, boolean bySsh) {
    List<Path> usual = List.of(home(".ssh/known_hosts"), home(".ssh/known_hosts2"));
    List<Path> said =
        paths(
            options.all("userknownhostsfile"),
            usual,
            // What ssh -G prints as a whole path has its tokens filled in already.
            name -> name.startsWith("/") && bySsh ? Path.of(name) : tokens.path(name));
    // ssh names the account's home there, whatever HOME says.
    Path account = Path.of(System.getProperty("user.home"), ".ssh");
    boolean untouched =
        said.equals(List.of(account.resolve("known_hosts"), account.resolve("known_hosts2")));
    return untouched ? usual : said;
  }

  /** Paths of one line, divided by blanks, which {@code ssh -G} prints without their quotes. */
  private static List<Path> paths(
      List<String> values, List<Path> otherwise, Function<String, Path> path) {
    if (values.isEmpty()) {
      return otherwise;
    }
    List<Path> found = new ArrayList<>();
    for (String value : values) {
      if (value.indexOf(' ') >= 0 && Files.exists(path.apply(value))) {
        found.add(path.apply(value));
      } else {
        Arrays.stream(value.split(" +", -1))
            .filter(one -> !one.isEmpty() && !one.equalsIgnoreCase("none"))
            .map(path)
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

  private static String localUser() {
    return System.getProperty("user.name");
  }
}
