package dev.eagle3.preflight;

import dev.eagle3.expect.ModelConfig;
import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.ProfileResolver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Situations from lines as scripts print them; fields are separated by tabs. */
final class Situations {
  static final Instant NOW = Instant.parse("2026-11-29T17:15:00Z");

  /** Reading one takes longer than judging by it. */
  private static final Map<String, Extractor> EXTRACTORS = new ConcurrentHashMap<>();

  private final Map<String, List<String>> flags =
      new LinkedHashMap<>(Map.of("host", List.of("root@10.1.230.174")));
  private String extractor = "speculators-0.4";
  private boolean isKnown = true;
  private Optional<ModelConfig> model =
      Optional.of(
          new ModelConfig(
              7168, 61, Optional.empty(), Optional.of(163_840L), Map.of(), "config.json"));
  private final List<String> machine = new ArrayList<>(List.of("host\tLinux\tx86_64\tgpu7\tuser"));
  private final List<String> files = new ArrayList<>();

  static Situations of() {
    return new Situations();
  }

  /** A flag of extract; the others are those of the built-in profile. */
  Situations flag(String key, String... words) {
    flags.put(key, List.of(words));
    return this;
  }

  Situations extractor(String name) {
    extractor = name;
    return this;
  }

  /** Nobody knows what the script is. */
  Situations withoutExtractor() {
    isKnown = false;
    return this;
  }

  Situations machine(String... lines) {
    machine.addAll(List.of(lines));
    return this;
  }

  /** In the place of what the machine says of itself. */
  Situations machineFirst(String line) {
    machine.set(0, line);
    return this;
  }

  /** The model's config cannot be read. */
  Situations withoutModel() {
    model = Optional.empty();
    return this;
  }

  Situations files(String... lines) {
    files.addAll(List.of(lines));
    return this;
  }

  /** What a check says, each line with its verdict before it. */
  List<String> judge(String check) {
    ScriptAnswer answer = new ScriptAnswer(0, machine, "");
    ExtractionPlan plan =
        Planner.plan(
            ProfileResolver.resolve(
                List.of(FlagReader.read(flags), BuiltInProfiles.named(BuiltInProfiles.DEFAULT))),
            known(),
            new RunId("20261129-171500-0a1b"));
    Situation situation =
        new Situation(
            plan,
            isKnown ? Optional.of(known()) : Optional.empty(),
            HostFacts.parse(answer),
            new Rows(answer),
            new Rows(new ScriptAnswer(0, files, "")),
            model,
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

  private Extractor known() {
    return EXTRACTORS.computeIfAbsent(extractor, BuiltInExtractors::named);
  }
}
