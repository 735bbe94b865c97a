package dev.eagle3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A machine with a root folder of its own, inside this one: {@code /}, {@code /root}, {@code /etc}
 * and {@code /home} are a test's, and may be attacked. Programs are those of this machine, which
 * cannot be written from inside.
 */
public final class StandInMachine implements AutoCloseable {
  /** Tools that change something; before each of them a script can be interrupted. */
  private static final List<String> CHANGING =
      List.of("mv", "mkdir", "rmdir", "chmod", "chown", "rm");

  private final Path root;
  private final Namespace namespace;

  private StandInMachine(Path root, Namespace namespace) {
    this.root = root;
    this.namespace = namespace;
  }

  /** Starts it with a folder as its root. */
  public static StandInMachine start(Path root) throws IOException {
    String tools = Path.of("target", "tools").toAbsolutePath().toString();
    Path script = root.resolveSibling(root.getFileName() + ".sh");
    try (var in = StandInMachine.class.getResourceAsStream("/output/machine.sh")) {
      if (in == null) {
        throw new AssertionError("no resource output/machine.sh");
      }
      Files.copy(in, script);
    }
    for (String made : List.of("etc", "home/alice", "root", "data", "mnt", "tmp", "var", "steps")) {
      Files.createDirectories(root.resolve(made));
    }
    Files.writeString(
        root.resolve("etc/passwd"),
        """
        root:x:0:0:root:/root:/bin/sh
        daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
        alice:x:1000:1000::/home/alice:/bin/sh
        bob:x:1001:1001::/people/bob:/bin/sh
        nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
        """);
    return new StandInMachine(root, Namespace.start(false, script, root.toString(), tools));
  }

  /** The machine as a host. Words before {@code sh -s}: what runs its shell. */
  public Host host(String... before) {
    return namespace.host(
        Map.of("PATH", "/usr/bin:/bin", "HOME", "/root"), List.of(before), Map.of());
  }

  /** A host whose {@code sh} is another shell. */
  public Host hostWithShell(String shell) throws IOException {
    String applet = shell.equals("busybox") ? " sh" : "";
    Path wrapper = root.resolve("steps/" + shell);
    Files.writeString(
        wrapper, "#!/bin/sh\nshift\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    return host("/steps/" + shell);
  }

  /** A host on which a user without any privilege of root runs commands as user 0. */
  public Host powerlessHost() {
    return host("setpriv", "--inh-caps=-all", "--bounding-set=-all");
  }

  /**
   * A host whose shell is killed with all that it started, right before the step with that number
   * (from 1): a call of a tool that changes something. A move of many entries is killed after the
   * first.
   */
  public Host hostThatDiesAt(int step) throws IOException {
    run("rm -rf /steps/* && mkdir /steps/bin && echo " + step + " >/steps/stop");
    for (String tool : CHANGING) {
      Path wrapper = root.resolve("steps/bin/" + tool);
      Files.writeString(
          wrapper,
          """
          #!/bin/sh
          step=1
          until /usr/bin/mkdir /steps/step.$step 2>/dev/null; do step=$((step + 1)); done
          read -r stop </steps/stop
          if [ "$step" = "$stop" ]; then
            if [ "${0##*/}" = mv ] && [ $# -gt 3 ] && [ "$2" != -T ]; then
              for to; do :; done
              /usr/bin/mv -n "$2" "$to"
            fi
            kill -KILL 0
          fi
          exec /usr/bin/${0##*/} "$@"
          """);
      Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return namespace.host(
        Map.of("PATH", "/steps/bin:/usr/bin:/bin", "HOME", "/root"), List.of("setsid"), Map.of());
  }

  /**
   * A host on which something else happens right before the first call of a tool.
   *
   * @param tool by its name: {@code mv}
   * @param text shell text, with the tools of this machine
   */
  public Host hostOnWhich(String text, String tool) throws IOException {
    run("rm -rf /steps/* && mkdir /steps/bin");
    Files.writeString(root.resolve("steps/meanwhile"), text + "\n");
    Path wrapper = root.resolve("steps/bin/" + tool);
    Files.writeString(
        wrapper,
        "#!/bin/sh\nmkdir /steps/happened 2>/dev/null && PATH=/usr/bin:/bin sh /steps/meanwhile\n"
            + "exec /usr/bin/"
            + tool
            + " \"$@\"\n");
    Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    return namespace.host(
        Map.of("PATH", "/steps/bin:/usr/bin:/bin", "HOME", "/root"), List.of("setsid"), Map.of());
  }

  /** The file of this machine that is a path of that one. */
  public Path at(String path) {
    return root.resolve(path.substring(1));
  }

  /** Writes files with their own path as content; their folders are made. */
  public void write(String... paths) throws IOException {
    for (String path : paths) {
      Files.createDirectories(at(path).getParent());
      Files.writeString(at(path), path);
    }
  }

  /** Runs shell text inside; what it printed on both streams. */
  public String run(String text) throws IOException {
    return namespace.run(text);
  }

  /**
   * All that is on the machine's own file system, and its {@code /mnt}: path to kind, mode, and
   * content or target.
   */
  public Map<String, String> snapshot() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (String top : List.of("etc", "home", "root", "data", "tmp", "var", "people")) {
      if (Files.exists(root.resolve(top))) {
        add(root.resolve(top), all);
      }
    }
    all.put("/mnt", run("cd /mnt && ls -lR --time-style=+ . && cat $(ls -dp * | grep -v /)"));
    return all;
  }

  /**
   * The contents of all files but eagle3's notes, as a list: nothing is lost as long as it stays
   * the same.
   */
  public List<String> contents() throws IOException {
    List<String> contents = new ArrayList<>();
    for (String line :
        run("find /data /mnt /root /home -type f ! -name '*.aside*' -exec cat '{}' ';' -exec echo ';'")
            .split("\n", -1)) {
      contents.add(line);
    }
    contents.sort(null);
    return contents;
  }

  /** Ends it. */
  @Override
  public void close() {
    namespace.close();
  }

  private void add(Path from, Map<String, String> all) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        all.put("/" + root.relativize(path), describe(path));
      }
    }
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    String mode =
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    return Files.isRegularFile(path) ? mode + " " + Files.readString(path, UTF_8) : mode;
  }
}
