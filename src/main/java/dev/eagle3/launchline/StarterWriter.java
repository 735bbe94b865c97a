package dev.eagle3.launchline;

import dev.eagle3.profile.BuiltInProfiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a commented profile to start from: the built-in one, with values put in. */
public final class StarterWriter {
  private static final List<String> HEAD =
      List.of(
          "# A profile to start from, made by `eagle3 init`. docs/profile.md lists every key.",
          "#",
          "#   eagle3 extract --profile FILE --dry-run",
          "#",
          "# What is not here comes from the built-in profile kimi-k2.5, so lines that you do not",
          "# change can be removed. All paths are absolute paths on the host.",
          "");

  /** Keys of their own kind, which the built-in profile does not have. */
  private static final List<String> MORE =
      List.of(
          "",
          "# --- around the program ----------------------------------------------------------------------",
          "",
          "# Variables of the job; without a value the host's own is taken.",
          "# env: {NCCL_DEBUG: INFO, HF_TOKEN: null}",
          "",
          "# Which GPUs, when not the first tp-size.",
          "# gpus: [4, 5, 6, 7]",
          "",
          "# Lines of shell that run before the program; one that fails ends the job.",
          "# setup: [module load cuda/12.8]",
          "",
          "# Words before the interpreter.",
          "# wrap: apptainer exec --nv /img/ml.sif",
          "",
          "# Flags of the script that have no key: a value, [] for none, null to leave one out.",
          "# flags: {seed: 1, trust-remote-code: []}");

  private StarterWriter() {}

  /**
   * The text.
   *
   * @param flags words by profile key, each good for its key
   */
  public static String write(Map<String, List<String>> flags) {
    Map<String, ProfileEntry> open = new LinkedHashMap<>();
    flags.forEach((key, words) -> open.put(key, entry(key, words)));
    List<String> lines = new ArrayList<>(HEAD);
    lines.add(
        "# --- the host --------------------------------------------------------------------------------");
    lines.add("");
    lines.add("# As ssh takes it.");
    ProfileEntry host = open.remove("host");
    lines.add(host == null ? "# host: root@gpu7" : line(host));
    lines.add("");
    boolean inHead = true;
    for (String line : BuiltInProfiles.text(BuiltInProfiles.DEFAULT).lines().toList()) {
      inHead &= !line.startsWith("# ---");
      if (inHead) {
        continue;
      }
      int colon = line.startsWith("#") ? -1 : line.indexOf(':');
      ProfileEntry given = colon < 0 ? null : open.remove(line.substring(0, colon));
      lines.add(given == null ? line : line(given));
    }
    lines.addAll(MORE);
    open.values().forEach(entry -> lines.add("\n" + line(entry)));
    return String.join("\n", lines) + "\n";
  }

  private static String line(ProfileEntry entry) {
    return ProfileTextWriter.write(List.of(), List.of(entry)).strip();
  }

  private static ProfileEntry entry(String key, List<String> words) {
    boolean list = words.size() > 1 || key.equals("env") || key.equals("args");
    return list
        ? ProfileEntry.of(key, new ProfileValue.Items(words))
        : ProfileEntry.text(key, words.get(0));
  }
}
