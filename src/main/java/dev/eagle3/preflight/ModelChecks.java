package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import dev.eagle3.expect.ModelConfig;
import dev.eagle3.extractor.LayerNumbering;
import dev.eagle3.output.Amount;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the model is whole, and fits what is asked of it. */
final class ModelChecks {
  private static final String PHASE = "preflight";
  private static final int NAMED = 3;
  private static final Set<String> TOKENIZERS =
      Set.of("tokenizer.json", "tokenizer.model", "tiktoken.model");

  static final List<Check> ALL =
      List.of(
          new Check("model-path", PHASE, ModelChecks::path),
          new Check("model-config", PHASE, ModelChecks::config),
          new Check("layer-ids", PHASE, ModelChecks::layers),
          new Check("model-shards", PHASE, ModelChecks::shards),
          new Check("model-heads", PHASE, ModelChecks::heads),
          new Check("model-tokenizer", PHASE, ModelChecks::tokenizer));

  private ModelChecks() {}

  /** A model may also be named by a hub id, which no path of the host shows. */
  private static void path(Situation situation, Judgement judgement) {
    String model = situation.plan().modelPath();
    if (!model.startsWith("/")) {
      judgement.note("--model-path " + shown(model) + " is no path: the job looks for it itself");
    } else if (!JobChecks.isMissing(
        situation, "model", List.of("folder", "file", "program"), "--model-path", judgement)) {
      judgement.ok("the model is " + shown(model));
    }
  }

  private static boolean isFolder(Situation situation) {
    HostFacts.PathFact fact = situation.host().paths().get("model");
    return situation.plan().modelPath().startsWith("/")
        && fact != null
        && fact.kind().equals("folder");
  }

  private static void config(Situation situation, Judgement judgement) {
    if (!isFolder(situation)) {
      return;
    }
    if (situation.model().isEmpty()) {
      judgement.warn(
          shown(situation.plan().modelPath())
              + "/config.json does not say hidden_size and num_hidden_layers");
      return;
    }
    ModelConfig model = situation.model().get();
    judgement.ok(model.layers() + " layers of hidden size " + model.hiddenSize());
  }

  private static void layers(Situation situation, Judgement judgement) {
    List<Integer> asked = situation.plan().layers();
    if (asked.isEmpty()) {
      return;
    }
    String words = words(asked);
    if (asked.stream().distinct().count() < asked.size()) {
      judgement.warn("--layers " + words + ": a layer stands twice, and is saved once");
    }
    if (!asked.equals(asked.stream().sorted().toList())) {
      judgement.note("--layers " + words + ": layers are saved in the order of the model");
    }
    if (situation.model().isEmpty()) {
      return;
    }
    int count = situation.model().get().layers();
    boolean outputs =
        situation
            .extractor()
            .filter(known -> known.layerNumbering() == LayerNumbering.OUTPUT_OF_LAYER)
            .isPresent();
    int last = outputs ? count - 1 : count;
    List<Integer> outside = asked.stream().filter(id -> id < 0 || id > last).toList();
    if (!outside.isEmpty()) {
      judgement.refuseUnless(
          situation,
          "the model has no layer "
              + words(outside)
              + ": it has "
              + count
              + " layers, and ids go from 0 to "
              + last,
          "--layers with ids from 0 to " + last);
    } else if (situation.extractor().isPresent()
        && !outputs
        && asked.equals(List.of(2, count / 2, count - 3, count - 1))) {
      judgement.warn(
          "--layers "
              + words
              + " is what speculators 0.4 takes by itself, which counts outputs of layers; here the"
              + " same states have ids that are one higher: "
              + words(asked.stream().map(id -> id + 1).toList()));
    } else {
      judgement.ok("layers " + words + " of 0 to " + last);
    }
  }

  private static void shards(Situation situation, Judgement judgement) {
    Rows files = situation.files();
    String kind = files.text("weights", 0).orElse("");
    if (!isFolder(situation) || kind.isEmpty()) {
      if (isFolder(situation)) {
        judgement.note("the files of the model were not looked into: " + situation.lacks("model"));
      }
      return;
    }
    if (files.first("bad-index", 1).isPresent()) {
      refuse(
          situation,
          "model.safetensors.index.json cannot be read: "
              + shown(files.text("bad-index", 0).orElse("")),
          judgement);
      return;
    }
    if (kind.equals("none")) {
      judgement.warn(shown(situation.plan().modelPath()) + " holds no weights");
    } else if (kind.equals("other")) {
      judgement.note("the weights are no safetensors, and were not looked into");
    } else {
      whole(situation, judgement);
    }
  }

  private static void whole(Situation situation, Judgement judgement) {
    Rows files = situation.files();
    OptionalLong good = files.number("shards", 0);
    OptionalLong total = files.number("shards", 1);
    OptionalLong bytes = files.number("shards", 2);
    OptionalLong checked = files.number("shards", 3);
    if (good.isEmpty() || total.isEmpty() || bytes.isEmpty() || checked.isEmpty()) {
      judgement.warn("the shards of the model could not be looked into");
      return;
    }
    OptionalLong numbered = files.number("numbers", 0);
    if (numbered.orElse(0) > total.getAsLong()) {
      refuse(
          situation,
          total.getAsLong() + " of " + numbered.getAsLong() + " shards are there, and no index",
          judgement);
      return;
    }
    List<List<String>> bad = files.all("bad-shard", 2);
    String of = good.getAsLong() + " of " + total.getAsLong() + " shards are whole";
    if (!bad.isEmpty()) {
      String named =
          bad.stream()
              .limit(NAMED)
              .map(row -> shown(row.get(0)) + " is " + shown(row.get(1)))
              .collect(Collectors.joining(", "));
      String says = of + ": " + named + (bad.size() > NAMED ? ", and others" : "");
      if (bad.stream().allMatch(row -> row.get(1).startsWith("without "))) {
        judgement.warn(says);
      } else {
        refuse(situation, says, judgement);
      }
    } else if (checked.getAsLong() < total.getAsLong()) {
      judgement.note(of + "; time did not reach for the others");
    } else {
      judgement.ok(of + ", " + Amount.size(bytes.getAsLong()));
    }
  }

  private static void refuse(Situation situation, String says, Judgement judgement) {
    judgement.refuseUnless(
        situation, says, "the download of the model once more, or another --model-path");
  }

  private static void heads(Situation situation, Judgement judgement) {
    OptionalLong heads = situation.files().number("config", 1);
    int parallel = situation.plan().tpSize();
    if (heads.isEmpty() || !situation.isSpread()) {
      return;
    }
    long shared = situation.files().number("config", 2).orElse(parallel);
    if (heads.getAsLong() % parallel != 0) {
      judgement.warn(
          heads.getAsLong()
              + " attention heads cannot be divided among --tp-size "
              + parallel
              + ", which vLLM refuses");
    } else if (shared % parallel != 0 && (shared == 0 || parallel % shared != 0)) {
      judgement.warn(
          shared
              + " key-value heads can neither be divided among --tp-size "
              + parallel
              + " nor be copied evenly, which vLLM refuses");
    } else {
      judgement.ok(heads.getAsLong() + " attention heads for --tp-size " + parallel);
    }
  }

  private static void tokenizer(Situation situation, Judgement judgement) {
    if (!isFolder(situation) || !situation.hasPart("model")) {
      return;
    }
    boolean there =
        situation.files().all("file", 1).stream().anyMatch(row -> TOKENIZERS.contains(row.get(0)));
    if (there) {
      judgement.ok("the tokenizer is there");
    } else {
      judgement.note(
          shown(situation.plan().modelPath()) + " holds no tokenizer file that is known");
    }
  }

  private static String words(List<Integer> layers) {
    return layers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
