package dev.eagle3.verify;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges the files of one folder by how they are mixed: two programs, two plans, one number twice.
 */
final class MixtureCheck {
  private static final int MOST_EXAMPLES = 5;
  private static final Pattern ROWS = Pattern.compile("rows_([0-9]{1,18})-([0-9]{1,18})$");

  private MixtureCheck() {}

  /** What is wrong with the mixture; {@code files} in natural order. */
  static List<Finding> check(String folder, List<FileVerdict> files) {
    List<FileVerdict> samples =
        files.stream().filter(file -> file.verdict() != Verdict.SKIPPED).toList();
    List<Finding> findings = new ArrayList<>();
    addSchemas(folder, samples, findings);
    addCollisions(folder, samples, findings);
    addMisplaced(folder, samples, findings);
    addArrow(folder, files, findings);
    return findings;
  }

  private static void addSchemas(String folder, List<FileVerdict> samples, List<Finding> findings) {
    Map<String, List<FileVerdict>> bySchema = new LinkedHashMap<>();
    for (FileVerdict file : samples) {
      if (file.shape().isPresent()) {
        bySchema.computeIfAbsent(file.shape().get().schema(), name -> new ArrayList<>()).add(file);
      }
    }
    if (bySchema.size() < 2) {
      return;
    }
    List<String> evidence = new ArrayList<>();
    bySchema.forEach(
        (name, of) ->
            evidence.add(files(of.size()) + " of " + name + ", for example " + nameOf(of.get(0))));
    if (bySchema.containsKey("modelopt-hf") && bySchema.containsKey("modelopt-vllm")) {
      evidence.add(
          "the last layer of modelopt-hf is after the final norm, that of modelopt-vllm before it:"
              + " a trainer reads both alike");
    }
    findings.add(
        new Finding(
            "set.schemas-differ",
            Severity.ERROR,
            folder,
            "samples of one program",
            "samples of " + String.join(" and ", bySchema.keySet()),
            evidence.stream().limit(MOST_EXAMPLES).toList()));
  }

  /**
   * {@code data_5.ckpt} beside {@code data_5.ckpt.gz}, or in two folders that count on together.
   */
  private static void addCollisions(
      String folder, List<FileVerdict> samples, List<Finding> findings) {
    Map<String, FileVerdict> seen = new LinkedHashMap<>();
    List<String> evidence = new ArrayList<>();
    long collisions = 0;
    for (FileVerdict file : samples) {
      SampleName name = SampleName.of(file.path());
      String place = ROWS.matcher(name.folder()).replaceFirst("");
      boolean checkpoint = name.extension().startsWith(".ckpt") && name.number().isPresent();
      if (!checkpoint) {
        continue;
      }
      FileVerdict first = seen.putIfAbsent(placeOf(place, name), file);
      if (first != null) {
        collisions++;
        if (evidence.size() < MOST_EXAMPLES) {
          evidence.add(below(folder, first) + " and " + below(folder, file));
        }
      }
    }
    if (collisions > 0) {
      findings.add(
          new Finding(
              "set.numbers-collide",
              Severity.WARNING,
              folder,
              "every number once",
              count(collisions) + (collisions == 1 ? " number twice" : " numbers twice"),
              evidence));
    }
  }

  private static String placeOf(String place, SampleName name) {
    return place + "/" + name.prefix() + name.number().orElse(-1);
  }

  /** A number that does not lie in the range that its folder names. */
  private static void addMisplaced(
      String folder, List<FileVerdict> samples, List<Finding> findings) {
    List<String> evidence = new ArrayList<>();
    long misplaced = 0;
    for (FileVerdict file : samples) {
      SampleName name = SampleName.of(file.path());
      Matcher rows = ROWS.matcher(name.folder());
      OptionalLong number = name.number();
      if (number.isPresent() && rows.find() && !isWithin(rows, number.getAsLong())) {
        misplaced++;
        if (evidence.size() < MOST_EXAMPLES) {
          evidence.add(below(folder, file));
        }
      }
    }
    if (misplaced > 0) {
      findings.add(
          new Finding(
              "set.files-misplaced",
              Severity.WARNING,
              folder,
              "numbers in the range of their folder",
              files(misplaced) + " in the folder of others",
              evidence));
    }
  }

  private static boolean isWithin(Matcher rows, long number) {
    return number >= Long.parseLong(rows.group(1)) && number < Long.parseLong(rows.group(2));
  }

  private static void addArrow(String folder, List<FileVerdict> files, List<Finding> findings) {
    if (files.stream()
        .anyMatch(file -> file.verdict() == Verdict.SKIPPED && NameRules.isArrow(nameOf(file)))) {
      findings.add(
          Finding.of(
              "samples.arrow",
              Severity.NOTE,
              folder,
              "prepared data to compare with",
              "an Arrow data set, which is not read: the samples were not compared with it"));
    }
  }

  private static String below(String folder, FileVerdict file) {
    String path = file.path();
    return path.startsWith(folder + "/") ? path.substring(folder.length() + 1) : path;
  }

  private static String nameOf(FileVerdict file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }

  private static String files(long count) {
    return count(count) + (count == 1 ? " file" : " files");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
