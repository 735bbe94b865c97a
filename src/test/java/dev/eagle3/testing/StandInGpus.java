package dev.eagle3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A machine with eight stand-in GPUs, inside this one: namespaces of their own for mounts and
 * processes, in which {@code /dev/nvidia0..7} are regular files. Processes that hold them are real;
 * those of this machine cannot be seen from inside, nor signalled. Its PATH has the tools that the
 * design calls needed, and nothing else: {@link #installNvidiaSmi} adds a stand-in for that.
 */
public final class StandInGpus implements AutoCloseable {
  private static final List<String> TOOLS =
      List.of(
          "cat",
          "chmod",
          "chown",
          "cut",
          "date",
          "dirname",
          "du",
          "env",
          "getconf",
          "grep",
          "head",
          "id",
          "ls",
          "mkdir",
          "mountpoint",
          "mv",
          "readlink",
          "rmdir",
          "sleep",
          "sort",
          "stat",
          "timeout",
          "tr");

  private static final Set<PosixFilePermission> EXECUTABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  /** Waits of the script that a test need not wait for as long: as they are, and shorter. */
  private static final Map<String, String> WAITS =
      Map.of(
          "smi_seconds=20 ", "smi_seconds=5 ",
          "term_seconds=10\n", "term_seconds=3\n",
          "memory_seconds=30 ", "memory_seconds=4 ",
          "watch_seconds=3\n", "watch_seconds=1\n",
          "restart_seconds=15 ", "restart_seconds=5 ",
          "ask_seconds=5 ", "ask_seconds=2 ");

  private final Path folder;
  private final Namespace namespace;
  private final List<Process> holders = new ArrayList<>();

  private StandInGpus(Path folder, Namespace namespace) {
    this.folder = folder;
    this.namespace = namespace;
  }

  /** Starts it in an existing, empty folder; its shell is the one with that name. */
  public static StandInGpus start(Path folder, String shell) throws IOException {
    WAITS.keySet().forEach(StandInGpus::requireInScripts);
    Path bin = Files.createDirectories(folder.resolve("bin"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), Tools.find(tool));
    }
    Path sh = bin.resolve("sh");
    String applet = shell.equals("busybox") ? " sh" : "";
    Files.writeString(sh, "#!/bin/sh\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(sh, EXECUTABLE);
    Path smi = Files.createDirectories(folder.resolve("smi"));
    Files.writeString(smi.resolve("uses"), "");
    copy("/fixtures/gpu/gpus-8.csv", smi.resolve("gpus"));
    copy("/gpu/holder.py", folder.resolve("holder.py"));
    copy("/gpu/devices.sh", folder.resolve("devices.sh"));
    Path devices = Files.createDirectories(folder.resolve("dev"));
    return new StandInGpus(
        folder, Namespace.start(true, folder.resolve("devices.sh"), devices.toString()));
  }

  /**
   * The machine as a host, on which scripts wait for shorter times. Words before {@code sh -s}:
   * what its shell descends from.
   */
  public Host host(String... before) {
    return namespace.host(environment(), List.of(before), WAITS);
  }

  /** The machine as a host with a text of its scripts replaced, beside shorter waits. */
  public Host hostWith(String text, String replacement) {
    requireInScripts(text);
    Map<String, String> replaced = new HashMap<>(WAITS);
    replaced.put(text, replacement);
    return namespace.host(environment(), List.of(), replaced);
  }

  /** The machine as a host, on which scripts wait for as long as anywhere. */
  public Host patientHost() {
    return namespace.host(environment(), List.of(), Map.of());
  }

  /** A process that holds devices, started with the words of {@code holder.py}; its process id. */
  public long hold(String... words) throws IOException {
    return holdTimes(1, words).get(0);
  }

  /** As {@link #hold}, with as many processes as the words make. */
  public List<Long> holdTimes(int count, String... words) throws IOException {
    return hold(Map.of(), count, words);
  }

  /** As {@link #holdTimes}, with further variables in the environment. */
  public List<Long> hold(Map<String, String> variables, int count, String... words)
      throws IOException {
    ProcessBuilder builder = namespace.process(List.of(holderWords(words)));
    builder.redirectError(folder.resolve("holder-errors").toFile());
    builder.environment().putAll(variables);
    Process holder = builder.start();
    holders.add(holder);
    BufferedReader said = new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8));
    List<Long> pids = new ArrayList<>();
    while (pids.size() < count) {
      String line = said.readLine();
      if (line == null) {
        throw new AssertionError(Files.readString(folder.resolve("holder-errors")));
      }
      pids.add(Long.valueOf(line));
    }
    return pids;
  }

  /** A process as {@link #hold} starts it, below other words: what runs the rest of its line. */
  public void holdBelow(List<String> before, String... words) throws IOException {
    List<String> all = new ArrayList<>(before);
    all.addAll(List.of(holderWords(words)));
    ProcessBuilder builder = namespace.process(all);
    builder.redirectError(folder.resolve("holder-errors").toFile());
    Process holder = builder.start();
    holders.add(holder);
    String line =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8)).readLine();
    if (line == null) {
      throw new AssertionError(Files.readString(folder.resolve("holder-errors")));
    }
  }

  /** From now on the process is in this cgroup: the lines of its {@code /proc/PID/cgroup}. */
  public void putInto(long pid, String cgroup) throws IOException {
    Path file = Files.writeString(folder.resolve("cgroup-" + pid), cgroup + "\n");
    String said = run("mount --bind " + file + " /proc/" + pid + "/cgroup");
    if (!said.isEmpty()) {
      throw new AssertionError(said);
    }
  }

  /** Puts a program on PATH that is this shell text. */
  public void install(String name, String text) throws IOException {
    Path program = Files.writeString(folder.resolve("bin").resolve(name), "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(program, EXECUTABLE);
  }

  /**
   * The folder of a run in the state folder of its user, as launch.sh makes it before the start.
   */
  public Path runFolder(String id) throws IOException {
    Path run = home().resolve(".eagle3/runs/" + id);
    if (!Files.exists(run)) {
      Files.createDirectories(run);
      for (String file : List.of("job.sh", "log", "alive")) {
        Files.createFile(run.resolve(file));
      }
    }
    return run;
  }

  /** A run as launch.sh leaves it: {@link #runFolder} with who the wrapper is. */
  public Path run(String id, long wrapper, long start) throws IOException {
    Path run = runFolder(id);
    String boot = run("cat /proc/sys/kernel/random/boot_id").strip();
    String node = run("cat /proc/sys/kernel/hostname").strip();
    String space = run("readlink /proc/self/ns/pid").strip();
    Files.writeString(
        run.resolve("pid"), String.join("\t", "" + wrapper, "" + start, boot, node, space) + "\n");
    return run;
  }

  /** The machine as a host whose user is not root. */
  public Host powerlessHost() throws IOException {
    // Temporary folders are their owner's only.
    for (Path path : List.of(folder, Objects.requireNonNull(folder.getParent()))) {
      Files.setPosixFilePermissions(path, EXECUTABLE);
    }
    return host(
        Tools.find("setpriv").toString(), "--reuid=65534", "--regid=65534", "--clear-groups");
  }

  /** The words that start {@code holder.py}, for {@link #host}. */
  public String[] holderWords(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(python(), folder.resolve("holder.py").toString()));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }

  /** Puts the stand-in for {@code nvidia-smi} on PATH. */
  public void installNvidiaSmi() throws IOException {
    Path program = folder.resolve("bin/nvidia-smi");
    copy("/gpu/nvidia-smi", program);
    Files.setPosixFilePermissions(program, EXECUTABLE);
  }

  /** From now on {@code nvidia-smi} says this of a process; {@code how} as its comment says. */
  public void uses(long pid, int gpu, int mebibytes, String how) throws IOException {
    Files.writeString(
        folder.resolve("smi/uses"),
        pid + " " + gpu + " " + mebibytes + " " + how + "\n",
        StandardOpenOption.APPEND);
  }

  /** Writes a file that steers {@code nvidia-smi}, as its comment says. */
  public void tellNvidiaSmi(String name, String content) throws IOException {
    Files.writeString(folder.resolve("smi").resolve(name), content);
  }

  /** Whether a process of the machine lives: it is there, and no zombie. */
  public boolean lives(long pid) throws IOException {
    return run("read -r stat 2>/dev/null </proc/"
            + pid
            + "/stat && "
            + "case ${stat##*) } in Z*) echo no ;; *) echo yes ;; esac || echo no")
        .strip()
        .equals("yes");
  }

  /** The start time of a process of the machine. */
  public long startOf(long pid) throws IOException {
    String stat = run("cat /proc/" + pid + "/stat");
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
  }

  /** Runs shell text inside, with all tools of this machine; what it printed on both streams. */
  public String run(String text) throws IOException {
    return namespace.run(text);
  }

  /** Starts shell text inside, with all tools of this machine; the caller ends it. */
  public Process start(String text) throws IOException {
    return namespace
        .process(List.of("/bin/sh", "-c", text))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("started").toFile())
        .start();
  }

  /** The home folder of its user. */
  public Path home() throws IOException {
    return Files.createDirectories(folder.resolve("home"));
  }

  /** Ends all that runs inside. */
  @Override
  public void close() {
    holders.forEach(Process::destroyForcibly);
    namespace.close();
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", folder.resolve("bin").toString());
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("STAND_IN_SMI", folder.resolve("smi").toString());
    return environment;
  }

  /** A text that is replaced in vain would let a test pass for nothing. */
  private static void requireInScripts(String text) {
    if (!(HostScripts.text("look-gpus") + HostScripts.text("clear-gpus")).contains(text)) {
      throw new AssertionError("no script has " + text);
    }
  }

  /** The interpreter itself: the one on PATH may be a shell script that looks for it. */
  private static String python() throws IOException {
    Process process =
        new ProcessBuilder(
                Tools.find("python3").toString(), "-c", "import sys; print(sys.executable)")
            .start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static void copy(String resource, Path to) throws IOException {
    try (InputStream in = StandInGpus.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("no resource " + resource);
      }
      Files.copy(in, to);
    }
  }
}
