package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.MeddlingFileTree.Meddling;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderVerifierTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "flags");
  private static final String GOOD = "512 4 512 7168";

  @TempDir Path folder;

  private final List<Event> events = new ArrayList<>();

  @Test
  void aFolderOfGoodSamplesIsGood() throws IOException {
    for (int number = 0; number < 12; number++) {
      save("data_" + number + ".pt", (500 + number) + " 4 " + (500 + number) + " 7168");
    }

    VerifyResult result = verify(KIMI.withSamples(12, "/prepared.jsonl"));

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.good()).isEqualTo(12);
    assertThat(result.total()).isEqualTo(12);
    assertThat(result.says()).isEqualTo("4 × [T, 7168] bfloat16");
    assertThat(result.setFindings()).isEmpty();
    assertThat(result.summary(9, "gpu7:/out"))
        .isEqualTo(new Event.Summary(12, 12, "4 × [T, 7168] bfloat16", 9, "gpu7:/out"));
  }

  @Test
  void filesAreReportedInNaturalOrderWhateverIsReadFirst() throws Exception {
    for (int number = 0; number < 30; number++) {
      save("data_" + number + ".pt", GOOD);
    }
    CountDownLatch others = new CountDownLatch(5);
    // The first file answers only after five others did: they must be in flight with it.
    Meddling slowFirst =
        path -> {
          if (path.endsWith("data_0.pt")) {
            await(others);
          } else {
            others.countDown();
          }
        };

    verify(new MeddlingFileTree(slowFirst, Meddling.NONE), KIMI);

    List<String> names =
        events.stream()
            .filter(Event.FileChecked.class::isInstance)
            .map(event -> Path.of(((Event.FileChecked) event).path()).getFileName().toString())
            .toList();
    assertThat(names).hasSize(30).startsWith("data_0.pt", "data_1.pt", "data_2.pt");
    assertThat(names).isSortedAccordingTo(SampleName.NATURAL_ORDER);
  }

  @Test
  void aBadSampleIsReportedWithItsFindingsRightBehindIt() throws IOException {
    save("data_0.pt", GOOD);
    save("data_1.pt", "259 771 259");
    save("data_2.pt", GOOD);

    VerifyResult result = verify(KIMI);

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.count(Verdict.BAD)).isEqualTo(1);
    assertThat(events.stream().map(Event::type))
        .containsExactly("file", "file", "finding", "finding", "file");
  }

  @Test
  void whatIsNoSampleIsSkippedWithAReason() throws IOException {
    save("data_0.pt", GOOD);
    save("data_config.json", "{}");
    save("token_freq.pt", "x");
    save(".nfs0001", "x");
    save("run.log", "x");
    save("data_0 (1).pt", "x");
    Files.createDirectory(folder.resolve("data_1.pt"));

    VerifyResult result = verify(KIMI);

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.total()).isEqualTo(1);
    assertThat(result.count(Verdict.SKIPPED)).isEqualTo(6);
    assertThat(result.files())
        .anySatisfy(
            file -> {
              assertThat(file.path()).endsWith("/run.log");
              assertThat(file.says()).isEqualTo("a log");
            });
    assertThat(found()).extracting(Finding::code).containsExactly("file.copy");
  }

  @Test
  void anEmptyFolderIsWrong() throws IOException {
    assertThat(only(verify(KIMI)).code()).isEqualTo("set.empty");

    save("data_0.bin", "x");
    VerifyResult result = verify(KIMI);
    assertThat(only(result).actual()).isEqualTo("no sample among 1 file");
    assertThat(only(result).evidence()).containsExactly("data_0.bin: not a name that samples have");
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.says()).isEqualTo("no samples");
  }

  @Test
  void missingAndExtraFilesAreNamed() throws IOException {
    for (int number : new int[] {0, 1, 3, 4, 8, 10, 11}) {
      save("data_" + number + ".pt", GOOD);
    }

    VerifyResult result = verify(KIMI.withSamples(10, "/prepared.jsonl"));

    assertThat(result.setFindings())
        .extracting(Finding::code, Finding::actual)
        .containsExactly(
            tuple("set.files-missing", "5 files missing: data_N.pt, N = 2, 5 to 7, 9"),
            tuple("set.files-extra", "2 files more: data_N.pt, N = 10 to 11"));
    assertThat(result.setFindings().get(0).evidence())
        .containsExactly("10 samples from /prepared.jsonl");
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.total()).isEqualTo(10);
  }

  @Test
  void aLastFileThatIsMissingIsFoundByTheNumberOfSamplesOnly() throws IOException {
    save("data_0.pt", GOOD);
    save("data_1.pt", GOOD);

    assertThat(only(verify(KIMI.withSamples(3, "x"))).actual())
        .isEqualTo("1 file missing: data_2.pt");
    assertThat(verify(KIMI.withSamples(3, "x").withoutSamples()).setFindings()).isEmpty();
  }

  @Test
  void aRunThatStartedFurtherOnIsWhole() throws IOException {
    save("data_100.pt", GOOD);
    save("data_101.pt", GOOD);

    assertThat(verify(KIMI.withSamples(2, "x")).setFindings()).isEmpty();
  }

  @Test
  void aHoleWithoutANumberOfSamplesIsAWarning() throws IOException {
    save("data_5.pt", GOOD);
    save("data_7.pt", GOOD);

    VerifyResult result = verify(KIMI);

    assertThat(only(result).code()).isEqualTo("set.holes");
    assertThat(only(result).actual()).isEqualTo("without data_6.pt");
    assertThat(only(result).severity()).isEqualTo(Severity.WARNING);
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void samplesWithoutNumbersAreCounted() throws IOException {
    save("a.pt", GOOD);
    save("b.pt", GOOD);

    assertThat(verify(KIMI.withSamples(2, "x")).setFindings()).isEmpty();
    assertThat(only(verify(KIMI.withSamples(3, "x"))).code()).isEqualTo("set.files-missing");
    assertThat(only(verify(KIMI.withSamples(1, "x"))).code()).isEqualTo("set.files-extra");
  }

  @Test
  void anAbsurdNumberOfSamplesTakesNoTimeOrMemory() throws IOException {
    save("data_0.pt", GOOD);

    assertThat(only(verify(KIMI.withSamples(Integer.MAX_VALUE, "x"))).actual())
        .isEqualTo("2,147,483,646 files missing: data_N.pt, N = 1 to 2147483646");
  }

  @Test
  void whatAllFilesAgreeOnIsSaidWhenNothingIsExpected() throws IOException {
    for (int number = 0; number < 3; number++) {
      save("data_" + number + ".pt", "9 4 9 4096");
    }

    VerifyResult result = verify(Expectation.NONE);

    assertThat(only(result).code()).isEqualTo("set.consensus");
    assertThat(only(result).actual())
        .isEqualTo("all 3 files agree on 4 × [T, 4096] bfloat16; not checked against a model");
    assertThat(only(result).severity()).isEqualTo(Severity.NOTE);
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void twoShapesInOneFolderAreWrong() throws IOException {
    save("data_0.pt", "9 4 9 4096");
    save("data_1.pt", "9 4 9 4096");
    save("data_2.pt", "9 3 9 4096");

    VerifyResult result = verify(Expectation.NONE);

    assertThat(only(result).code()).isEqualTo("set.shapes-differ");
    assertThat(only(result).evidence())
        .containsExactly(
            "2 files: 4 × [T, 4096] bfloat16 (speculators-list), for example data_0.pt",
            "1 file: 3 × [T, 4096] bfloat16 (speculators-list), for example data_2.pt");
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.says()).isEqualTo("4 × [T, 4096] bfloat16 and 1 other shape");
  }

  @Test
  void lengthsThatTheExtractorNotedAreCompared() throws IOException {
    save("data_0.pt", "9 4 9 7168");
    save("data_1.pt", "8 4 8 7168");

    VerifyResult result = verify(KIMI.withSampleTokens(Map.of(0L, 9L, 1L, 9L, 2L, 7L)));

    assertThat(result.setFindings())
        .extracting(Finding::code)
        .containsExactly("set.lengths-differ", "set.noted-missing");
    assertThat(result.setFindings().get(0).evidence())
        .containsExactly("data_1.pt: 8 tokens, noted 9");
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void filesAreVerifiedByTheirPathsWhateverTheirNames() throws IOException {
    save("odd.name", GOOD);
    save("data_3.pt", GOOD);

    VerifyResult result =
        verifier(new LocalFileTree())
            .verify(
                List.of(path("odd.name"), path("data_3.pt"), path("nothing.pt")),
                KIMI.withSamples(10, "x"),
                events::add);

    assertThat(result.good()).isEqualTo(2);
    assertThat(result.total()).isEqualTo(3);
    assertThat(found()).extracting(Finding::code).containsExactly("file.missing");
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
  }

  @Test
  void oneFileWithoutAnExpectationIsSaidToBeUnchecked() throws IOException {
    save("data_3.pt", GOOD);

    VerifyResult result =
        verifier(new LocalFileTree())
            .verify(List.of(path("data_3.pt")), Expectation.NONE, events::add);

    assertThat(only(result).actual())
        .isEqualTo("the file holds 4 × [T, 7168] bfloat16; not checked against a model");
  }

  @Test
  void aFileThatIsBeingWrittenIsItsOwnFinding() throws IOException {
    save("data_0.pt", GOOD);
    save("data_1.pt", "cut");
    Meddling grow =
        path -> {
          if (path.endsWith("data_1.pt")) {
            Files.writeString(Path.of(path), "!", StandardOpenOption.APPEND);
          }
        };

    VerifyResult result = verify(new MeddlingFileTree(grow, Meddling.NONE), KIMI);

    FileVerdict growing = result.files().get(1);
    assertThat(growing.isBeingWritten()).isTrue();
    assertThat(growing.verdict()).isEqualTo(Verdict.BAD);
    assertThat(growing.findings()).extracting(Finding::code).containsExactly("file.being-written");
    assertThat(result.good()).isEqualTo(1);
  }

  @Test
  void aFileThatWasFinishedMeanwhileIsReadAgain() throws IOException {
    save("data_0.pt", "cut");
    Meddling finish = path -> Files.writeString(Path.of(path), GOOD);

    VerifyResult result =
        verify(
            new MeddlingFileTree(
                Meddling.NONE,
                path -> {
                  if (path.endsWith(".pt")) {
                    finish.with(path);
                  }
                }),
            KIMI);

    assertThat(result.good()).isEqualTo(1);
  }

  @Test
  void aFileThatVanishesOrMayNotBeReadIsAFinding() throws IOException {
    save("data_0.pt", GOOD);
    save("data_1.pt", GOOD);
    save("data_2.pt", GOOD);
    Files.createSymbolicLink(folder.resolve("data_3.pt"), folder.resolve("nowhere"));
    Meddling trouble =
        path -> {
          if (path.endsWith("data_0.pt")) {
            Files.delete(Path.of(path));
          } else if (path.endsWith("data_1.pt")) {
            throw new AccessDeniedException(path);
          }
        };

    VerifyResult result = verify(new MeddlingFileTree(trouble, Meddling.NONE), KIMI);

    assertThat(found())
        .extracting(Finding::code, finding -> SampleName.of(finding.subject()).number().getAsLong())
        .containsExactly(
            tuple("file.missing", 0L), tuple("file.unreadable", 1L), tuple("file.missing", 3L));
    assertThat(result.good()).isEqualTo(1);
  }

  @Test
  void aBadBlockOfADiskIsAFindingAndALostConnectionIsNot() throws IOException {
    save("data_0.pt", GOOD);
    save("data_1.pt", GOOD);
    Meddling badBlock =
        path -> {
          if (path.endsWith("data_0.pt")) {
            throw new IOException("Input/output error");
          }
        };
    VerifyResult result = verify(new MeddlingFileTree(badBlock, Meddling.NONE), KIMI);
    assertThat(result.files().get(0).findings().get(0).actual()).isEqualTo("Input/output error");
    assertThat(result.good()).isEqualTo(1);

    Meddling lost =
        path -> {
          if (path.endsWith(".pt")) {
            throw new IOException("connection lost");
          }
        };
    assertThatThrownBy(() -> verify(new MeddlingFileTree(lost, lost), KIMI))
        .isInstanceOf(IOException.class)
        .hasMessage("connection lost");
  }

  @Test
  void aFolderLinkedFromElsewhereAndLinkedSamplesAreVerified() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Files.writeString(folder.resolve("target"), GOOD);
    Files.createSymbolicLink(real.resolve("data_0.pt"), folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);

    VerifyResult result =
        verifier(new LocalFileTree()).verify(List.of(link.toString()), KIMI, events::add);

    assertThat(result.good()).isEqualTo(1);
  }

  @Test
  void aPipeWithTheNameOfASampleIsNeverOpened() throws Exception {
    Process made = new ProcessBuilder("mkfifo", path("data_0.pt")).start();
    assertThat(made.waitFor()).isZero();

    VerifyResult result = verify(KIMI);

    assertThat(found()).extracting(Finding::code).containsExactly("file.not-regular");
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
  }

  private VerifyResult verify(Expectation expected) throws IOException {
    return verify(new LocalFileTree(), expected);
  }

  private VerifyResult verify(FileTree files, Expectation expected) throws IOException {
    events.clear();
    return verifier(files).verify(List.of(folder.toString()), expected, events::add);
  }

  private static FolderVerifier verifier(FileTree files) {
    return new FolderVerifier(files, 6, new FileVerifier(files, new PlainHeaders()));
  }

  private List<Finding> found() {
    return events.stream()
        .filter(Event.Found.class::isInstance)
        .map(event -> ((Event.Found) event).finding())
        .toList();
  }

  private void save(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static Finding only(VerifyResult result) {
    assertThat(result.setFindings()).hasSize(1);
    return result.setFindings().get(0);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IOException("the others were not in flight");
      }
    } catch (InterruptedException interrupted) {
      throw new IOException(interrupted);
    }
  }
}
