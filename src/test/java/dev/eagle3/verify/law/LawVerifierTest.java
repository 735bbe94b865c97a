package dev.eagle3.verify.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The laws on a real extraction from a small model, and on what can become of it. */
class LawVerifierTest {
  private static final Optional<Path> MODEL = Optional.of(TinyLm.MODEL);

  @TempDir Path folder;

  @Test
  void aRealExtractionKeepsBothLaws() throws IOException {
    TinyLm.Seen seen = TinyLm.in(folder).test(MODEL);

    assertThat(errors(seen)).isEmpty();
    assertThat(seen.outcome().causes()).isEmpty();
    assertThat(seen.result().exit()).isEqualTo(Exit.DONE);
    assertThat(finding(seen, "law.prediction-holds").subject()).isEqualTo("16 of 16 files");
    assertThat(finding(seen, "law.prediction-holds").actual())
        .matches("predict their own tokens \\(0\\.9\\d\\)");
    assertThat(finding(seen, "law.prefix-holds").actual())
        .isEqualTo("15 agree on the tokens that they begin with");
    assertThat(seen.events())
        .singleElement()
        .isInstanceOfSatisfying(
            Event.Check.class,
            check ->
                assertThat(check.says())
                    .matches(
                        "reading \\d\\.\\d MiB of rows of 16 of 16 files, and up to 5 MiB of the"
                            + " model's head"));
  }

  @Test
  void statesOfTwoSamplesThatWereSwappedNameEachOther() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    tiny.swap(3, 8);
    tiny.swap(8, 3);

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen))
        .extracting(Finding::code, Finding::subject, Finding::actual)
        .contains(
            tuple(
                "law.prediction-broken",
                tiny.path(3).toString(),
                "states that predict the tokens of data_8.pt"),
            tuple(
                "law.prediction-broken",
                tiny.path(8).toString(),
                "states that predict the tokens of data_3.pt"));
    Cause cause = cause(seen, "law.states-swapped");
    assertThat(cause.subjects()).containsExactly(tiny.path(3).toString(), tiny.path(8).toString());
    assertThat(cause.evidence().get(0))
        .startsWith("data_3.pt predicts the tokens of data_8.pt (0.9");
    assertThat(seen.result().exit()).isEqualTo(Exit.WRONG);
    assertThat(seen.result().good()).isEqualTo(14);
    assertThat(finding(seen, "law.prediction-holds").subject()).isEqualTo("14 of 16 files");
  }

  @Test
  void aWholeSetThatIsOffByOneFileNamesEveryOwner() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      tiny.swap(number, (number + 1) % TinyLm.SAMPLES);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      String path = tiny.path(number).toString();
      String owner = "data_" + (number + 1) % TinyLm.SAMPLES + ".pt";
      assertThat(seen.outcome().findings())
          .filteredOn(found -> found.subject().equals(path))
          .extracting(Finding::actual)
          .contains("states that predict the tokens of " + owner);
    }
    assertThat(cause(seen, "law.states-swapped").subjects()).hasSize(TinyLm.SAMPLES);
  }

  @Test
  void statesThatStandOneRowEarlyAreNamedByBothLaws() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    tiny.shift(5, 1);

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen))
        .extracting(Finding::code, Finding::actual)
        .containsExactlyInAnyOrder(
            tuple("law.prefix-broken", "states that are not those of its tokens"),
            tuple("law.prediction-broken", "states that predict its tokens 1 row later"));
    Cause cause = cause(seen, "law.states-shifted");
    assertThat(cause.subjects()).containsExactly(tiny.path(5).toString());
    assertThat(cause.evidence().get(0)).contains("; each row is the one 1 row later in data_");
  }

  @Test
  void statesThatStandTwoRowsLateAreNamedWithoutAModel() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    tiny.shift(0, -2);

    TinyLm.Seen seen = tiny.test(Optional.empty());

    assertThat(errors(seen))
        .singleElement()
        .satisfies(found -> assertThat(found.code()).isEqualTo("law.prefix-broken"))
        .satisfies(found -> assertThat(found.subject()).isEqualTo(tiny.path(0).toString()));
    assertThat(cause(seen, "law.states-shifted").evidence().get(0))
        .contains("; each row is the one 2 rows earlier in data_");
  }

  @Test
  void aSetThatIsShiftedAltogetherIsSeenByItsPredictions() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      tiny.shift(number, -1);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen)).hasSize(TinyLm.SAMPLES);
    assertThat(errors(seen))
        .allSatisfy(
            found ->
                assertThat(found.actual())
                    .isEqualTo("states that predict its tokens 1 row earlier"));
  }

  @Test
  void statesOfAnotherModelPredictNobodysTokens() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    Random random = new Random(7);
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      float[] states = tiny.states(number).clone();
      for (int index = 0; index < states.length; index++) {
        states[index] = (float) random.nextGaussian();
      }
      tiny.save(number, tiny.ids(number), states);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen))
        .filteredOn(found -> found.code().equals("law.prediction-broken"))
        .hasSize(TinyLm.SAMPLES)
        .allSatisfy(
            found ->
                assertThat(found.actual())
                    .matches("states that predict the tokens of no file \\(0\\.[45]\\d\\)"));
    assertThat(cause(seen, "law.states-foreign").subjects()).hasSize(TinyLm.SAMPLES);
  }

  @Test
  void oneFileOfAnotherModelIsToldFromTheOthers() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    float[] states = tiny.states(11).clone();
    // Another model: the same directions mean other things.
    for (int row = 0; row < states.length; row += TinyLm.HIDDEN_SIZE) {
      float first = states[row];
      System.arraycopy(states, row + 1, states, row, TinyLm.HIDDEN_SIZE - 1);
      states[row + TinyLm.HIDDEN_SIZE - 1] = first;
    }
    tiny.save(11, tiny.ids(11), states);

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen))
        .allSatisfy(found -> assertThat(found.subject()).isEqualTo(tiny.path(11).toString()))
        .extracting(Finding::code)
        .containsExactlyInAnyOrder("law.prefix-broken", "law.prediction-broken");
    assertThat(cause(seen, "law.states-foreign").subjects())
        .containsExactly(tiny.path(11).toString());
  }

  @Test
  void rowsThatWereCopiedAreFoundWithoutAModel() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    // The second half of sample 6 still holds what sample 2 left in the buffer.
    float[] states = tiny.states(6).clone();
    int from = 100 * TinyLm.HIDDEN_SIZE;
    System.arraycopy(tiny.states(2), from, states, from, 50 * TinyLm.HIDDEN_SIZE);
    tiny.save(6, tiny.ids(6), states);

    TinyLm.Seen seen = tiny.test(Optional.empty());

    assertThat(errors(seen))
        .singleElement()
        .satisfies(found -> assertThat(found.code()).isEqualTo("law.rows-equal"));
    assertThat(cause(seen, "law.rows-copied").evidence().get(0))
        .contains("equal bit for bit")
        .contains("row 100 of data_2.pt and row 100 of data_6.pt");
    assertThat(seen.result().exit()).isEqualTo(Exit.WRONG);
  }

  @Test
  void aFileOfFewTokensCannotTell() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 1);
    tiny.save(0, Arrays.copyOf(tiny.ids(0), 8), tiny.rows(0, 0, 8));

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen)).isEmpty();
    assertThat(finding(seen, "law.not-tested").actual())
        .isEqualTo("too few tokens: cannot tell whether states predict their own tokens");
    assertThat(finding(seen, "law.not-tested").evidence())
        .containsExactly("data_0.pt: 6 rows to judge by");
  }

  @Test
  void oneFileAloneStillShowsItsShift() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 1);

    TinyLm.Seen good = tiny.test(MODEL);
    tiny.shift(0, 1);
    TinyLm.Seen shifted = tiny.test(MODEL);

    assertThat(errors(good)).isEmpty();
    assertThat(finding(good, "law.prediction-holds").actual())
        .matches("predicts its own tokens \\(0\\.9\\d\\)");
    assertThat(errors(shifted))
        .extracting(Finding::actual)
        .containsExactly("states that predict its tokens 1 row later");
  }

  @Test
  void twoFilesThatDisagreeAreBothNamedAsOneOfThemMustBeWrong() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 2);
    tiny.shift(1, 1);

    TinyLm.Seen seen = tiny.test(Optional.empty());

    assertThat(errors(seen))
        .extracting(Finding::actual)
        .containsExactly(
            "other states than data_1.pt, one of the two is wrong",
            "other states than data_0.pt, one of the two is wrong");
  }

  @Test
  void noiseOfAnotherKernelBreaksNoLaw() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    Random random = new Random(3);
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      float[] states = tiny.states(number).clone();
      for (int index = 0; index < states.length; index++) {
        states[index] *= (float) (1 + 0.03 * random.nextGaussian());
      }
      tiny.save(number, tiny.ids(number), states);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen)).isEmpty();
    assertThat(finding(seen, "law.prefix-holds").subject()).isEqualTo("15 pairs of files");
  }

  @Test
  void magnitudeDecidesNothing() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      float[] states = tiny.states(number).clone();
      for (int index = 0; index < states.length; index++) {
        states[index] *= 1e6f;
      }
      tiny.save(number, tiny.ids(number), states);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen)).isEmpty();
    assertThat(finding(seen, "law.prediction-holds").subject()).isEqualTo("16 of 16 files");
  }

  @Test
  void earlierLayersPredictNobodyElse() throws IOException {
    for (int layer = 0; layer < 3; layer++) {
      TinyLm tiny = TinyLm.in(Files.createDirectory(folder.resolve("layer-" + layer)));
      for (int number = 0; number < TinyLm.SAMPLES; number++) {
        tiny.save(number, tiny.ids(number), tiny.layer(number, layer));
      }

      assertThat(errors(tiny.test(MODEL))).as("layer %d", layer).isEmpty();
    }
  }

  @Test
  void statesThatTellNothingButFrequenciesHaveNoOwner() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    Random random = new Random(5);
    float[] mean = new float[TinyLm.HIDDEN_SIZE];
    float[] first = tiny.states(0);
    for (int index = TinyLm.HIDDEN_SIZE; index < first.length; index++) {
      mean[index % TinyLm.HIDDEN_SIZE] += first[index] / 160;
    }
    for (int number = 0; number < TinyLm.SAMPLES; number++) {
      float[] states = tiny.states(number).clone();
      for (int index = 0; index < states.length; index++) {
        states[index] = mean[index % TinyLm.HIDDEN_SIZE] + (float) (0.05 * random.nextGaussian());
      }
      tiny.save(number, tiny.ids(number), states);
    }

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(seen.outcome().causes())
        .extracting(Cause::code)
        .doesNotContain("law.states-swapped", "law.states-shifted");
  }

  @Test
  void statesWithoutNumbersPredictNothingAndHangNobody() throws IOException {
    TinyLm tiny = TinyLm.in(folder);
    float[] states = tiny.states(4).clone();
    Arrays.fill(states, Float.NaN);
    tiny.save(4, tiny.ids(4), states);

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen))
        .allSatisfy(found -> assertThat(found.subject()).isEqualTo(tiny.path(4).toString()));
  }

  @Test
  @Hostile("a sample is deleted between its check and the reading of its rows")
  void aFileThatVanishedIsLeftOut() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 4);
    VerifyResult before = tiny.test(Optional.empty()).result();
    Files.delete(tiny.path(2));

    LawOutcome outcome = laws(before);

    assertThat(outcome.findings())
        .extracting(Finding::subject)
        .contains("2 pairs of files", "3 of 3 files");
  }

  @Test
  @Hostile("a sample is cut between its check and the reading of its rows")
  void aFileThatWasCutMeanwhileIsLeftOut() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 4);
    VerifyResult before = tiny.test(Optional.empty()).result();
    byte[] whole = Files.readAllBytes(tiny.path(2));
    Files.write(tiny.path(2), Arrays.copyOf(whole, whole.length / 2));

    LawOutcome outcome = laws(before);

    assertThat(outcome.findings()).extracting(Finding::subject).contains("3 of 3 files");
  }

  @Test
  @Hostile("token ids below zero and beyond every vocabulary")
  void idsOutsideOfTheVocabularyAreNotLookedUp() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 4);
    long[] ids = tiny.ids(1).clone();
    for (int index = 90; index < ids.length; index += 3) {
      ids[index] = index % 2 == 0 ? Long.MIN_VALUE + index : Long.MAX_VALUE - index;
    }
    tiny.save(1, ids, tiny.states(1));

    TinyLm.Seen seen = tiny.test(MODEL);

    assertThat(errors(seen)).isEmpty();
    assertThat(finding(seen, "law.prediction-holds").subject()).isEqualTo("4 of 4 files");
  }

  private static LawOutcome laws(VerifyResult before) throws IOException {
    return new LawVerifier(new LocalFileTree(), 2)
        .verify(
            before.files(),
            Optional.of(TinyLm.MODEL.toString()),
            OptionalLong.empty(),
            event -> {});
  }

  @Test
  void aModelThatIsNotThereIsSaid() throws IOException {
    TinyLm.Seen seen = TinyLm.in(folder, 2).test(Optional.of(folder.resolve("nowhere")));

    assertThat(errors(seen)).isEmpty();
    assertThat(finding(seen, "law.not-tested").actual())
        .isEqualTo("it has no config.json, so whether states predict their tokens was not tested");
  }

  private static List<Finding> errors(TinyLm.Seen seen) {
    return seen.outcome().findings().stream()
        .filter(found -> found.severity() == Severity.ERROR)
        .toList();
  }

  private static Finding finding(TinyLm.Seen seen, String code) {
    return seen.outcome().findings().stream()
        .filter(found -> found.code().equals(code))
        .findFirst()
        .orElseThrow();
  }

  private static Cause cause(TinyLm.Seen seen, String code) {
    assertThat(seen.outcome().causes()).extracting(Cause::code).contains(code);
    return seen.outcome().causes().stream()
        .filter(cause -> cause.code().equals(code))
        .findFirst()
        .orElseThrow();
  }
}
