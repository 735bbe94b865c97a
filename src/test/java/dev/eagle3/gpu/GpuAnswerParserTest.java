package dev.eagle3.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.RunId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuAnswerParserTest {
  private final GpuAnswerParser parser = new GpuAnswerParser("gpu7");

  @Test
  void anAnswerBecomesALook() {
    GpuLook look =
        parser.look(
            GpuPlans.need(ClearGpus.ALL, 0),
            answer(
                0,
                "lacks\tnvidia-smi\tno answer in 20 s",
                "gpu\t0\tGPU-3ceb3ffd\tNVIDIA H200\t143771\t70980\tneeded",
                "gpu\t1\t-\t-\t-\t-\tother",
                "absent\t8",
                "holder\t48211\t812345\talice\t7322\t0,1\t70980\tvllm.service\tother\t-\tVLLM::Worker_TP0",
                "holder\t77\t12\troot\t-\t-\t-\t-\tlive-run\t20261129-171500-0a1b\t[python3]",
                "watcher\t48211\tunit\tvllm.service\talways",
                "hidden\t0\t2048\t4711,4712"));

    assertThat(look.lacks()).containsExactly("nvidia-smi: no answer in 20 s");
    assertThat(look.gpus()).hasSize(2);
    assertThat(look.gpus().get(0).needed()).isTrue();
    assertThat(look.gpus().get(1).totalMiB()).isEmpty();
    assertThat(look.absent()).containsExactly(8);
    assertThat(look.hidden()).containsExactly(new HiddenMemory(0, 2048, List.of(4711L, 4712L)));
    assertThat(look.endable())
        .singleElement()
        .satisfies(
            holder -> {
              assertThat(holder.target()).isEqualTo("48211:812345");
              assertThat(holder.says())
                  .isEqualTo(
                      "pid 48211 (alice, 2 h, GPU 0,1, 70980 MiB, vllm.service) VLLM::Worker_TP0,"
                          + " started again unless you systemctl stop vllm.service");
              assertThat(holder.event("asked"))
                  .isEqualTo(
                      new Event.Holder(
                          48211,
                          "alice",
                          7322,
                          70980,
                          List.of(0, 1),
                          "VLLM::Worker_TP0",
                          "vllm.service",
                          "asked"));
            });
    assertThat(look.liveRuns())
        .singleElement()
        .satisfies(
            holder -> {
              assertThat(holder.run()).contains(new RunId("20261129-171500-0a1b"));
              assertThat(holder.gpus()).isEmpty();
              assertThat(holder.event("refused").ageSeconds()).isEqualTo(-1);
            });
    assertThat(look.isFree()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "holder\t48211",
        "holder\tx\t1\ta\t1\t0\t1\t-\tother\t-\tc",
        "holder\t1\t99999999999999999999\ta\t1\t0\t1\t-\tother\t-\tc",
        "holder\t1\t1\ta\t1\t0,\t1\t-\tother\t-\tc",
        "holder\t1\t1\ta\t1\t0\t1\t-\tfriend\t-\tc",
        "hidden\t0",
        "gpu",
        "absent\t"
      })
  void anAnswerOfAnotherFormIsNotGuessedAt(String line) {
    assertThatThrownBy(() -> parser.look(GpuPlans.need(ClearGpus.SAFE, 0), answer(0, line)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.REFUSED))
        .hasMessageStartingWith("gpu7: cannot say who holds its GPUs");
  }

  @Test
  void aScriptThatBrokeIsNoFreeGpu() {
    ScriptAnswer broken = new ScriptAnswer(2, List.of(), "sh: 1: stat: not found\n");

    assertThatThrownBy(() -> parser.look(GpuPlans.need(ClearGpus.SAFE, 0), broken))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("stat: not found");
  }

  @Test
  void theStepOfADryRunSaysWhatThePolicyDoes() {
    assertThat(GpuClearer.step(GpuPlans.of(ClearGpus.NONE))).isEmpty();
    assertThat(
            GpuClearer.step(GpuPlans.of(ClearGpus.SAFE, List.of(), 8, Optional.empty()))
                .map(ScriptCall::arguments))
        .contains(List.of("safe", "", "8", "", "found"));
    assertThat(
            GpuClearer.step(GpuPlans.of(ClearGpus.ALL, List.of(0, 3), 2, Optional.of("/state")))
                .map(ScriptCall::arguments))
        .contains(List.of("all", "0,3", "2", "/state", "found"));
  }

  private static ScriptAnswer answer(int code, String... lines) {
    return new ScriptAnswer(code, List.of(lines), "");
  }
}
