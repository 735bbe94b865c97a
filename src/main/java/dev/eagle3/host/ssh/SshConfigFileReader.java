package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Our own reading of ssh_config(5), for machines without an {@code ssh} program: {@code Host},
 * {@code Match} and {@code Include}, in the user's file and then the machine's. What it cannot
 * follow it notes, and nothing in the files is ever run. What ssh refuses as malformed is refused
 * here, but words that nobody knows are passed over.
 */
final class SshConfigFileReader {
  private static final Path SYSTEM_FILE = Path.of("/etc/ssh/ssh_config");
  private static final int MOST_BYTES = 4 << 20;

  /** Files included by included files, and so on; as ssh. */
  private static final int MOST_DEPTH = 16;

  private static final int MOST_FILES = 2_000;

  /** These may stand several times; of all other words the first one counts. */
  private static final Set<String> SEVERAL =
      Set.of("identityfile", "certificatefile", "localforward", "remoteforward", "sendenv");

  /** Their value is the rest of the line, quotes and all. */
  private static final Set<String> COMMANDS =
      Set.of("proxycommand", "localcommand", "remotecommand", "knownhostscommand");

  private final SshSettings settings;
  private final SshTarget target;
  private final SshOptions options;
  private final Path systemFile;
  private SshConfigMatch match;
  private int files;

  /**
   * A reading for one target.
   *
   * @param options what is said already, which stands; gets what the files say
   */
  SshConfigFileReader(SshSettings settings, SshTarget target, SshOptions options) {
    this(settings, target, options, SYSTEM_FILE);
  }

  /** As above, with another file of the machine. */
  SshConfigFileReader(SshSettings settings, SshTarget target, SshOptions options, Path systemFile) {
    this.settings = settings;
    this.target = target;
    this.options = options;
    this.systemFile = systemFile;
    this.match = new SshConfigMatch(target, localUser(), options, false);
  }

  /**
   * Reads the files: the one that the user named, else their own and the machine's.
   *
   * @throws Failure {@code LOCAL_FILE} when one cannot be read, or is malformed
   */
  void read() {
    readAll();
    if (match.wantsLastPass()) {
      match = new SshConfigMatch(target, localUser(), options, true);
      readAll();
    }
    if (options.first("canonicalizehostname").filter(value -> !value.equals("no")).isPresent()) {
      options.note("CanonicalizeHostname is not followed without an ssh program");
    }
  }

  private void readAll() {
    files = 0;
    Path folder = settings.home().resolve(".ssh");
    if (settings.configFile().isPresent()) {
      Path file = settings.configFile().get();
      if (!file.toString().equals("none")) {
        read(file, folder, true, 0);
      }
      return;
    }
    for (Path file : List.of(folder.resolve("config"), systemFile)) {
      if (Files.exists(file)) {
        Path parent = file.toAbsolutePath().getParent();
        read(file, parent == null ? folder : parent, true, 0);
      }
    }
  }

  /**
   * Reads one file.
   *
   * @param folder where included files of relative names are
   * @param holds whether its first lines count; else none of it does
   */
  private void read(Path file, Path folder, boolean holds, int depth) {
    boolean active = holds;
    int number = 0;
    for (String text : lines(file)) {
      number++;
      if (SshConfigLine.isEmpty(text)) {
        continue;
      }
      String where = file + ":" + number;
      try {
        SshConfigLine line = SshConfigLine.parse(text);
        line = COMMANDS.contains(line.keyword()) ? line : line.withWords();
        switch (line.keyword()) {
          case "host" -> active = Wildcards.matchOne(line.words(), target.host());
          case "match" ->
              active = match.holds(line.words(), note -> options.note(where + ": " + note));
          case "include" -> {
            if (active) {
              include(line.words(), where, folder, depth);
            }
          }
          default -> {
            if (active) {
              add(line);
            }
          }
        }
      } catch (IllegalArgumentException malformed) {
        throw Failure.of(
            Exit.LOCAL_FILE, where, Printable.line(String.valueOf(malformed.getMessage()), 200));
      }
    }
  }

  private void add(SshConfigLine line) {
    String keyword = line.keyword();
    if (COMMANDS.contains(keyword)) {
      if (isFirst(keyword)) {
        options.add(keyword, line.rest());
      }
    } else if (SEVERAL.contains(keyword)) {
      if (!options.all(keyword).contains(line.words().get(0))) {
        options.add(keyword, line.words().get(0));
      }
    } else if (isFirst(keyword)) {
      line.words().forEach(value -> options.add(keyword, value));
    }
  }

  /** One way leads to a host: of ProxyJump and ProxyCommand the first one counts. */
  private boolean isFirst(String keyword) {
    boolean isWay = keyword.equals("proxyjump") || keyword.equals("proxycommand");
    return isWay
        ? options.first("proxyjump").isEmpty() && options.first("proxycommand").isEmpty()
        : options.first(keyword).isEmpty();
  }

  private void include(List<String> patterns, String where, Path folder, int depth) {
    if (depth == MOST_DEPTH) {
      throw new IllegalArgumentException(
          "files include each other more than " + MOST_DEPTH + " deep, or in a circle");
    }
    for (String pattern : patterns) {
      Path path =
          pattern.startsWith("~/")
              ? settings.home().resolve(pattern.substring(2))
              : folder.resolve(pattern);
      List<Path> found;
      try {
        found = SshConfigGlob.find(path.toAbsolutePath().normalize());
      } catch (IOException unreadable) {
        throw Failure.of(Exit.LOCAL_FILE, where, "Include cannot be followed").causedBy(unreadable);
      }
      for (Path file : found) {
        read(file, folder, true, depth + 1);
      }
    }
  }

  private List<String> lines(Path file) {
    files++;
    if (files > MOST_FILES) {
      throw Failure.of(
          Exit.LOCAL_FILE,
          file.toString(),
          "ssh_config includes more than " + MOST_FILES + " files");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe would wait for a writer.
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "is not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw Failure.of(Exit.LOCAL_FILE, file.toString(), "too large for an ssh_config");
      }
      return new String(bytes, UTF_8).lines().toList();
    } catch (IOException unreadable) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "cannot be read").causedBy(unreadable);
    }
  }

  private static String localUser() {
    return System.getProperty("user.name");
  }
}
