package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** From recorded answers. */
class RunFactsParserTest {
  private static final String HERE =
      "here\t1795973871\t2ca0f855-dfcc-4974-ad11-712b19107091\tgpu7\tpid:[4026531836]\t1795971879";
  private static final String RUN =
      "run\t20261129-171500-0a1b\t/root/.eagle3/runs/20261129-171500-0a1b";
  private static final String WRAPPER =
      "wrapper\t19731\t199240\t2ca0f855-dfcc-4974-ad11-712b19107091\tgpu7\tpid:[4026531836]";

  @Test
  void aRunningRun() {
    RunState state =
        judged(
            HERE,
            RUN,
            WRAPPER,
            "wrapper-is\talive",
            "exit\tpending",
            "alive\t1795973871",
            "log\t7\t65024:2163204\t1795973871");

    assertThat(state).isEqualTo(new RunState.Running(19731));
  }

  @Test
  void anExitCodeIsTheLastWord() {
    RunState state = judged(HERE, RUN, WRAPPER, "wrapper-is\talive", "exit\t0");

    assertThat(state).isEqualTo(new RunState.Finished(0, List.of()));
  }

  @Test
  void whatWasLeftBehindIsNamedBesideTheExitCode() {
    RunState state =
        judged(
            HERE,
            RUN,
            WRAPPER,
            "wrapper-is\tgone",
            "process\t19740\t199300\tsession",
            "process\t19741\t199301\tlog",
            "exit\t137");

    assertThat(state).isEqualTo(new RunState.Killed("KILL", 137, List.of(19740L, 19741L)));
    assertThat(state.says())
        .isEqualTo(
            "the job was killed by signal KILL (the host ran out of memory, or somebody ended it);"
                + " its processes 19740, 19741 still live");
  }

  @Test
  void codesBeyondTheSignalsAreCodes() {
    assertThat(judged(HERE, RUN, "exit\t128")).isEqualTo(new RunState.Finished(128, List.of()));
    assertThat(judged(HERE, RUN, "exit\t255")).isEqualTo(new RunState.Finished(255, List.of()));
    assertThat(judged(HERE, RUN, "exit\t160")).isEqualTo(new RunState.Killed("32", 160, List.of()));
  }

  @Test
  void anotherContainerOfTheSameNodeIsElsewhere() {
    RunState state =
        judged(
            HERE,
            RUN,
            "wrapper\t12\t199240\t2ca0f855-dfcc-4974-ad11-712b19107091\tgpu7\tpid:[17]",
            "wrapper-is\telsewhere",
            "exit\tpending",
            "alive\t1795973865");

    assertThat(state).isEqualTo(new RunState.Elsewhere("another container of gpu7", 6));
  }

  @Test
  void aTwinThatBeatsAfterOurBootIsAnotherMachine() {
    RunState state =
        judged(
            HERE,
            RUN,
            "wrapper\t12\t199240\tother\tgpu7\tpid:[17]",
            "wrapper-is\telsewhere",
            "alive\t1795973865");

    assertThat(state).isEqualTo(new RunState.Elsewhere("another machine named gpu7", 6));
  }

  @Test
  void severalRunsKeepTheirOwnFacts() {
    List<RunFacts> facts =
        RunFactsParser.parse(
            List.of(
                HERE,
                RUN,
                "exit\t3",
                "log\t10\t1:2\t5",
                "run\t20261129-171501-0a1c\t/root/.eagle3/runs/20261129-171501-0a1c",
                "exit\tpending"));

    assertThat(facts).hasSize(2);
    assertThat(facts.get(0).exitCode()).hasValue(3);
    assertThat(facts.get(0).log().bytes()).isEqualTo(10);
    assertThat(facts.get(1).exitCode()).isEmpty();
    assertThat(facts.get(1).log().bytes()).isEqualTo(-1);
  }

  @Test
  void linesOfAnotherFormAreLeftOut() {
    List<RunFacts> facts =
        RunFactsParser.parse(
            List.of(
                RUN,
                "here\tnow",
                HERE,
                "run\t../../etc\t/etc",
                "run\t20261129-171500-0a1b\t/etc/passwd",
                "run\t20261129-171500-0a1b\trelative/20261129-171500-0a1b",
                RUN,
                "exit\t99999999999999999999",
                "exit\t-1",
                "process\tx\ty\tlog",
                "process\t-5\t1\tlog",
                "",
                "\t\t",
                "new-word\t1"));

    assertThat(facts).hasSize(1);
    assertThat(facts.get(0).exitCode()).isEmpty();
    assertThat(facts.get(0).pids()).isEmpty();
  }

  @Test
  void manyProcessesAreToldInOneLine() {
    List<Long> pids = IntStream.range(100, 150).mapToObj(Long::valueOf).toList();

    assertThat(new RunState.Orphaned(pids).says()).contains("100, 101").contains("and 30 more");
  }

  private static RunState judged(String... lines) {
    List<RunFacts> facts = RunFactsParser.parse(List.of(lines));
    assertThat(facts).hasSize(1);
    return RunJudge.judge(facts.get(0));
  }
}
