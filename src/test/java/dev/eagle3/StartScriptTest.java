package dev.eagle3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code scripts/eagle3} in a small checkout of its own. The Java there prints how it was called,
 * and the Maven there notes that it was.
 */
class StartScriptTest {
  private static final int DEADLINE_SECONDS = 60;

  @TempDir private Path folder;
  private Path checkout;
  private Path launcher;
  private Path programs;

  /** What one start printed, and its exit code. */
  private record Start(int code, String stdout, String stderr) {}

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = folder.resolve("a check out");
    programs = folder.resolve("bin");
    launcher = checkout.resolve("scripts/eagle3");
    Files.createDirectories(launcher.getParent());
    Files.createDirectories(checkout.resolve("src/main/java"));
    Files.createDirectories(checkout.resolve("config"));
    Files.createDirectories(programs);
    Files.copy(Path.of("scripts", "eagle3"), launcher, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(checkout.resolve("pom.xml"), "");
    Files.writeString(checkout.resolve("src/main/java/A.java"), "");
    for (Path source : List.of(Path.of("pom.xml"), Path.of("src/main/java/A.java"))) {
      age(checkout.resolve(source), 3600);
    }
    for (Path source : List.of(Path.of("src/main/java"), Path.of("src/main"), Path.of("config"))) {
      age(checkout.resolve(source), 3600);
    }
    program(
        programs.resolve("mvn"),
        """
        cd '%s'
        echo "$JAVA_HOME" >>mvn.calls
        [ ! -e broken ] || { echo '[ERROR] A.java:[1,1] is broken'; exit 1; }
        mkdir -p target/lib
        echo jar >target/eagle3.jar
        echo library >target/lib/picocli.jar
        """
            .formatted(checkout));
    jdk("jdk 17", "17.0.15");
  }

  @Test
  void aFirstStartBuildsOnceAndSaysSo() throws Exception {
    Start first = start("--version");
    Start second = start("--version");

    assertThat(first.code()).isZero();
    assertThat(first.stderr()).isEqualTo("eagle3: building once, about a minute\n");
    assertThat(second.code()).isZero();
    assertThat(second.stderr()).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void twoFirstStartsAtOnceBuildOnce() throws Exception {
    Process one = begin(Map.of(), launcher, "--version");
    Process other = begin(Map.of(), launcher, "--version");

    assertThat(ended(one).code()).isZero();
    assertThat(ended(other).code()).isZero();
    assertThat(builds()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "src/main/java/A.java", "config/kimi-k2.5.yaml"})
  void aSourceThatIsNewerThanTheBuildBuildsAgain(String source) throws Exception {
    start("--version");
    Files.writeString(checkout.resolve(source), "changed");
    age(checkout.resolve(source), -2);
    start("--version");

    assertThat(builds()).hasSize(2);
  }

  @Test
  void aRebuildLeavesTheJarOfARunningCommandAlone() throws Exception {
    String before = classPath(start("tail-log"));
    Files.writeString(checkout.resolve("pom.xml"), "changed");
    age(checkout.resolve("pom.xml"), -2);
    String after = classPath(start("tail-log"));

    assertThat(after).isNotEqualTo(before);
    assertThat(Path.of(before)).exists();
    assertThat(Path.of(before).resolveSibling("lib/picocli.jar")).exists();
  }

  @Test
  void aBuildThatFailsShowsItsErrorAndWhereTheRestIs() throws Exception {
    Files.writeString(checkout.resolve("broken"), "");

    Start start = start("--version");

    assertThat(start.code()).isEqualTo(1);
    assertThat(start.stdout()).isEmpty();
    assertThat(start.stderr())
        .contains("A.java:[1,1] is broken")
        .contains("eagle3: build: failed with Java 17.0.15")
        .contains("target/app/build.log")
        .contains("\ntry: ");
  }

  @Test
  void itStartsThroughALinkFromAnotherFolder() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("eagle3"), launcher);

    Start start = ended(begin(Map.of(), link, "status"));

    assertThat(start.code()).isZero();
    assertThat(classPath(start)).startsWith(checkout.toRealPath().toString());
  }

  @Test
  void argumentsAndTheExitCodePassThrough() throws Exception {
    Start start =
        ended(
            begin(Map.of("EXIT", "16"), launcher, "verify-shapes", "a b", "", "$HOME", "--", "*"));

    assertThat(start.code()).isEqualTo(16);
    assertThat(start.stdout())
        .endsWith("<dev.eagle3.cli.Main>\n<verify-shapes>\n<a b>\n<>\n<$HOME>\n<-->\n<*>\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "status", "runs", "inspect"})
  void aShortCommandUsesTheFirstCompilerOnly(String command) throws Exception {
    assertThat(start(command).stdout()).contains("<-XX:TieredStopAtLevel=1>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"extract", "pull", "verify-shapes", "demo", "tail-log"})
  void aCommandThatMovesMuchKeepsBothCompilers(String command) throws Exception {
    assertThat(start(command).stdout())
        .contains("<" + command + ">")
        .doesNotContain("TieredStopAtLevel");
  }

  @Test
  void headersOfThisMachineAreReadWithTheFirstCompilerAndAllElseWithBoth() throws Exception {
    String here = Files.writeString(folder.resolve("data_0.pt"), "").toString();

    assertThat(start("verify-shapes", here).stdout()).contains("<-XX:TieredStopAtLevel=1>");
    assertThat(start("verify-shapes", here, "--deep").stdout()).doesNotContain("TieredStop");
    assertThat(start("verify-shapes", "--deep=10%", here).stdout()).doesNotContain("TieredStop");
    assertThat(start("verify-shapes", "--host", "gpu7", here).stdout())
        .doesNotContain("TieredStop");
    assertThat(start("verify-shapes", "gpu7:" + here).stdout()).doesNotContain("TieredStop");
  }

  @Test
  void aLocaleWithoutUtf8IsReplaced() throws Exception {
    Start plain = ended(begin(Map.of("LC_ALL", "C"), launcher, "status"));
    Start absent = ended(begin(Map.of("LC_ALL", "xx_XX.UTF-8"), launcher, "status"));
    Start utf8 = ended(begin(Map.of("LC_ALL", "C.utf8"), launcher, "status"));

    assertThat(plain.stdout()).startsWith("LC_ALL=C.UTF-8\n");
    assertThat(absent.stdout()).startsWith("LC_ALL=C.UTF-8\n");
    assertThat(utf8.stdout()).startsWith("LC_ALL=C.utf8\n");
  }

  @Test
  void itSaysWhichStreamsAreTerminals() throws Exception {
    start("status");
    String inside = "stty cols 123; sh '" + launcher + "' status 2>/dev/null";
    Start terminal = ended(begin(Map.of(), Tools.find("script"), "-qec", inside, "/dev/null"));

    assertThat(start("status").stdout()).contains("<-Deagle3.terminal=>").doesNotContain("columns");
    assertThat(terminal.stdout())
        .contains("<-Deagle3.terminal=01>")
        .contains("<-Deagle3.columns=123>");
  }

  @Test
  void aJavaThatIsTooOldIsRefused() throws Exception {
    jdk("jdk 11", "11.0.2");

    Start start =
        ended(begin(Map.of("JAVA_HOME", folder.resolve("jdk 11").toString()), launcher, "status"));

    assertThat(start.code()).isEqualTo(1);
    assertThat(start.stderr())
        .contains("is Java 11.0.2, and 17 or later is needed")
        .contains("try:");
    assertThat(checkout.resolve("mvn.calls")).doesNotExist();
  }

  @Test
  void aJavaHomeWithoutJavaIsNamed() throws Exception {
    Start start = ended(begin(Map.of("JAVA_HOME", "/no/such"), launcher, "status"));

    assertThat(start.code()).isEqualTo(1);
    assertThat(start.stderr()).startsWith("eagle3: JAVA_HOME: no bin/java in /no/such\ntry: ");
  }

  @Test
  void everyJavaHasAnArchiveOfItsOwn() throws Exception {
    jdk("jdk 25", "25.0.3");
    start("status");

    Start newer =
        ended(begin(Map.of("JAVA_HOME", folder.resolve("jdk 25").toString()), launcher, "status"));

    assertThat(archive(newer)).isNotEqualTo(archive(start("status")));
    assertThat(Path.of(archive(newer))).exists();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aJavaThatMakesNoArchiveIsAskedOnceAndStartsWithoutOne() throws Exception {
    Map<String, String> without = Map.of("NO_ARCHIVE", "yes");
    Start first = ended(begin(without, launcher, "status"));
    Start second = start("status");

    assertThat(first.code()).isZero();
    assertThat(first.stdout()).doesNotContain("SharedArchiveFile");
    assertThat(second.stdout()).doesNotContain("SharedArchiveFile");
  }

  private Start start(String... arguments) throws Exception {
    return ended(begin(Map.of(), launcher, arguments));
  }

  private Process begin(Map<String, String> environment, Path program, String... arguments)
      throws IOException {
    List<String> command =
        Stream.concat(Stream.of(program.toString()), Arrays.stream(arguments)).toList();
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                programs + ":/usr/bin:/bin",
                "HOME",
                folder.toString(),
                "LC_ALL",
                "C.UTF-8",
                "JAVA_HOME",
                folder.resolve("jdk 17").toString()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static Start ended(Process process) throws Exception {
    String stdout = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String stderr = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Start(process.exitValue(), stdout, stderr);
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(checkout.resolve("mvn.calls"));
  }

  private static String archive(Start start) {
    String option = "<-XX:SharedArchiveFile=";
    String word =
        start.stdout().lines().filter(line -> line.startsWith(option)).findFirst().orElseThrow();
    return word.substring(option.length(), word.length() - 1);
  }

  private static String classPath(Start start) {
    List<String> words = start.stdout().lines().toList();
    String word = words.get(words.indexOf("<-cp>") + 1);
    return word.substring(1, word.length() - 1);
  }

  /**
   * A JDK whose java prints the locale and its arguments, and makes the archives it is asked for.
   */
  private void jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    program(
        home.resolve("bin/java"),
        """
        for word; do
          case ${NO_ARCHIVE:-}$word in
            -Xshare:dump) dump=yes ;;
            -XX:DumpLoadedClassList=*) echo dev/eagle3/cli/Main >"${word#*=}" ;;
            -XX:SharedArchiveFile=*) [ -z "${dump:-}" ] || echo archive >"${word#*=}" ;;
          esac
        done
        echo "LC_ALL=$LC_ALL"
        printf '<%s>\\n' "$@"
        exit "${EXIT:-0}"
        """);
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void age(Path file, long seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }
}
