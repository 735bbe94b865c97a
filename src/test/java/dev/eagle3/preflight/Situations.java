package dev.eagle3.preflight;

import dev.eagle3.expect.ModelConfig;
import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Situations from lines as scripts print them; fields are separated by tabs. */
final class Situations {
  static final Instant NOW = Instant.parse("2026-11-29T17:15:00Z");

  private ExtractionPlan plan = Plans.example();
  private final List<String> machine = new ArrayList<>(List.of("host\tLinux\tx86_64\tgpu7\tuser"));
  private final List<String> files = new ArrayList<>();

  static Situations of() {
    return new Situations();
  }

  Situations plan(ExtractionPlan other) {
    plan = other;
    return this;
  }

  Situations machine(String... lines) {
    machine.addAll(List.of(lines));
    return this;
  }

  Situations files(String... lines) {
    files.addAll(List.of(lines));
    return this;
  }

  /** What a check says, each line with its verdict before it. */
  List<String> judge(String check) {
    ScriptAnswer answer = new ScriptAnswer(0, machine, "");
    Situation situation =
        new Situation(
            plan,
            Optional.of(BuiltInExtractors.named("speculators-0.4")),
            HostFacts.parse(answer),
            new Rows(answer),
            new Rows(new ScriptAnswer(0, files, "")),
            Optional.of(
                new ModelConfig(
                    7168, 61, Optional.empty(), Optional.of(163_840L), Map.of(), "config.json")),
            NOW);
    Judgement judgement = new Judgement();
    Checks.ALL.stream()
        .filter(one -> one.name().equals(check))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no check " + check))
        .judge()
        .judge(situation, judgement);
    return judgement.lines().stream()
        .map(line -> line.verdict().word() + ": " + line.says())
        .toList();
  }
}
