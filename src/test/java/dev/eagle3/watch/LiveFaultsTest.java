package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.demo.DemoFault;
import dev.eagle3.demo.DemoFolder;
import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.verify.FileVerifier;
import dev.eagle3.verify.SampleLister;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults are seen by the first samples, one after the other, and their cause is named by then. */
@Tag("slow")
class LiveFaultsTest {
  private static final Expectation KIMI =
      Expectation.NONE
          .withLayers(4, "run r")
          .withHiddenSize(7168, "config.json")
          .withModelLayers(61, "config.json")
          .withBatchSize(2, "run r")
          .withSamples(10, "tokenized_data.jsonl")
          .withOtherSizes(Map.of(512L, "text_config.kv_lora_rank"));

  @TempDir Path root;
  private final List<Event> events = new ArrayList<>();

  static List<String> faultsOfForm() {
    return DemoFault.codes().stream()
        .filter(code -> DemoFault.ofCode(code).orElseThrow().isOfForm())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("faultsOfForm")
  void aFaultOfTheFormEndsTheRunBeforeItsLastBatchWithItsCauseAndNoOther(String code)
      throws Exception {
    Optional<Integer> taken = samplesUntilTheEnd(code);

    assertThat(taken).as("samples that were looked at").isPresent();
    assertThat(taken.get()).isLessThanOrEqualTo(8);
    assertThat(causes()).containsExactly(code);
  }

  @Test
  void aGoodRunGoesOn() throws Exception {
    assertThat(samplesUntilTheEnd("")).isEmpty();
    assertThat(events).allMatch(Event.FileChecked.class::isInstance);
  }

  private Optional<Integer> samplesUntilTheEnd(String fault) throws Exception {
    DemoFolder folder = extract(fault);
    boolean notCaptured = fault.equals("layers.not-captured");
    List<Integer> ids = List.of(2, 30, 58, notCaptured ? 61 : 60);
    Expectation expected = KIMI.withLayerIds(ids, "run r");
    LocalFileTree files = new LocalFileTree();
    LiveSamples samples =
        new LiveSamples(
            new SampleWatch(WatchPlans.of(folder.output(), 2), OnBad.AUTO, false, () -> {}),
            events::add,
            () -> 0);
    samples.expect(expected);
    int taken = 0;
    for (FileStat file : new SampleLister(files).list(folder.output().toString())) {
      samples.take(new FileVerifier(files).verify(file, expected));
      taken++;
      if (samples.reasonToEnd().isPresent()) {
        return Optional.of(taken);
      }
    }
    return Optional.empty();
  }

  private DemoFolder extract(String fault) throws Exception {
    DemoFolder folder = DemoFolder.create(root);
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3",
            folder.script().toString(),
            "--model-path",
            folder.model().toString(),
            "--prepared-data",
            folder.preparedData().toString(),
            "--output-dir",
            folder.output().toString(),
            "--batch-size",
            "2",
            "--tp-size",
            "8",
            "--layer-ids",
            "2",
            "30",
            "58",
            fault.equals("layers.not-captured") ? "61" : "60");
    builder.environment().put("EAGLE3_STAND_IN_FAULT", fault);
    builder.environment().put("EAGLE3_STAND_IN_PACE", "0");
    builder.redirectErrorStream(true).redirectOutput(root.resolve("printed").toFile());
    Process script = builder.start();
    assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(script.exitValue()).isZero();
    return folder;
  }

  private List<String> causes() {
    return events.stream()
        .filter(Event.Named.class::isInstance)
        .map(event -> ((Event.Named) event).cause().code())
        .toList();
  }
}
