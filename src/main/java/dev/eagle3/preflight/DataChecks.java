package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Whether the prepared data is what the script takes. */
final class DataChecks {
  private static final String PHASE = "preflight";
  private static final int NAMED = 3;

  static final List<Check> ALL =
      List.of(
          new Check("data-lines", PHASE, DataChecks::lines),
          new Check("data-length", PHASE, DataChecks::lengths),
          new Check("data-masks", PHASE, DataChecks::masks),
          new Check("data-ids", PHASE, DataChecks::ids),
          new Check("data-begin", PHASE, DataChecks::begin),
          new Check("data-twins", PHASE, DataChecks::twins));

  private DataChecks() {}

  private static void lines(Situation situation, Judgement judgement) {
    Rows files = situation.files();
    String kind = files.text("data", 0).orElse("");
    if (kind.isEmpty()) {
      judgement.note("the prepared data was not looked into: " + situation.lacks("data"));
      return;
    }
    if (!kind.equals("lines")) {
      if (kind.equals("arrow")) {
        judgement.note(
            "the prepared data is a folder of Arrow files, which are not read: how many samples and"
                + " tokens it has, and whether they are good, is not known");
      } else if (kind.equals("conversations")) {
        judgement.note(
            "the prepared data is conversations, whose tokens only the script knows: they were not"
                + " looked into");
      } else if (!kind.equals("missing")) {
        judgement.note(
            "the prepared data is no JSON Lines file ("
                + shown(kind)
                + "), and was not looked into");
      }
      return;
    }
    long good = files.number("samples", 0).orElse(0);
    long bad = files.number("bad-lines", 0).orElse(0);
    String part = part(situation);
    if (bad > 0) {
      judgement.warn(
          bad
              + (bad == 1 ? " line is no sample: " : " lines are no samples: ")
              + files.all("bad-line", 2).stream()
                  .limit(NAMED)
                  .map(row -> "line " + shown(row.get(0)) + ": " + shown(row.get(1)))
                  .collect(Collectors.joining("; "))
              + part);
    } else if (good == 0) {
      judgement.warn("the prepared data holds no sample");
    } else {
      judgement.ok(
          String.format(
              Locale.ROOT,
              "%,d samples, %,d tokens%s",
              good,
              files.number("tokens", 0).orElse(0),
              part));
    }
  }

  /** What was looked at, unless it was all. */
  private static String part(Situation situation) {
    OptionalLong read = situation.files().number("read", 0);
    OptionalLong total = situation.files().number("read", 1);
    if (read.isEmpty() || total.isEmpty() || read.getAsLong() >= total.getAsLong()) {
      return "";
    }
    double share = 100.0 * read.getAsLong() / total.getAsLong();
    return String.format(Locale.ROOT, " (only the first %.1f %% were looked at)", share);
  }

  private static void lengths(Situation situation, Judgement judgement) {
    OptionalLong longest = situation.files().number("tokens", 2);
    if (longest.isEmpty() || !hasSamples(situation)) {
      return;
    }
    int most = situation.plan().maxSeqLen();
    if (count(situation, "over") > 0) {
      judgement.note(
          samples(situation, "over")
              + " more than --max-seq-len "
              + most
              + " tokens, up to "
              + longest.getAsLong()
              + ", and will be cut");
    } else {
      judgement.ok("samples have up to " + longest.getAsLong() + " tokens, and " + most + " may");
    }
  }

  private static void masks(Situation situation, Judgement judgement) {
    warn(situation, judgement, "unlike", "a loss_mask of another length than input_ids");
    warn(situation, judgement, "nothing-to-learn", "a loss_mask of 0 as far as they are kept");
    warn(situation, judgement, "odd-mask", "other values than 0 and 1 in loss_mask");
    if (count(situation, "unmasked") > 0) {
      judgement.note(samples(situation, "unmasked") + " no loss_mask");
    }
    if (judgement.lines().isEmpty() && hasSamples(situation)) {
      judgement.ok("each sample has a loss_mask of its length, with something to learn");
    }
  }

  private static void ids(Situation situation, Judgement judgement) {
    Rows files = situation.files();
    if (!hasSamples(situation)) {
      return;
    }
    OptionalLong highest = files.number("ids", 1);
    if (files.text("ids", 0).orElse("0").startsWith("-") && highest.isPresent()) {
      judgement.warn("the prepared data has token ids below 0");
    }
    OptionalLong vocabulary =
        situation
            .model()
            .flatMap(model -> model.vocabulary())
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty);
    if (highest.isEmpty() || vocabulary.isEmpty()) {
      return;
    }
    if (highest.getAsLong() >= vocabulary.getAsLong()) {
      judgement.warn(
          "line "
              + shown(files.text("ids", 2).orElse("?"))
              + " has the token id "
              + highest.getAsLong()
              + ", and the model has ids up to "
              + (vocabulary.getAsLong() - 1)
              + ": it was made with the tokenizer of another model");
    } else {
      judgement.ok("token ids go up to " + highest.getAsLong() + " of " + vocabulary.getAsLong());
    }
  }

  /** One sample may begin with a word twice; a tokenizer that adds it twice does so to all. */
  private static void begin(Situation situation, Judgement judgement) {
    long doubled = count(situation, "doubled");
    long good = situation.files().number("samples", 0).orElse(0);
    if (good >= 2 && doubled * 2 >= good) {
      judgement.warn(
          samples(situation, "doubled")
              + " their first token twice: a chat template and a tokenizer that both add the token"
              + " that begins a text");
    }
  }

  private static void twins(Situation situation, Judgement judgement) {
    long twins = count(situation, "twins");
    if (twins > 0) {
      judgement.note(samples(situation, "twins") + " the tokens of an earlier one");
    }
  }

  private static void warn(Situation situation, Judgement judgement, String word, String what) {
    if (count(situation, word) > 0) {
      judgement.warn(samples(situation, word) + " " + what);
    }
  }

  private static String samples(Situation situation, String word) {
    long count = count(situation, word);
    String line = situation.files().text(word, 1).orElse("?");
    return count == 1
        ? "1 sample (line " + shown(line) + ") has"
        : String.format(Locale.ROOT, "%,d samples (the first in line %s) have", count, shown(line));
  }

  private static long count(Situation situation, String word) {
    return situation.files().number(word, 0).orElse(0);
  }

  private static boolean hasSamples(Situation situation) {
    return situation.files().number("samples", 0).orElse(0) > 0;
  }
}
