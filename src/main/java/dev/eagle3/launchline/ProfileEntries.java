package dev.eagle3.launchline;

import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.profile.ProfileReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The entries of a profile that is being made. A value that no profile can hold becomes one to fill
 * in, so that what is written can always be read.
 */
final class ProfileEntries {
  private final Map<String, ProfileEntry> entries = new LinkedHashMap<>();
  private final List<LineNote> notes;
  private final Map<String, List<String>> flags;

  /** Entries over which what the flags of the command line say holds. */
  ProfileEntries(List<LineNote> notes, Map<String, List<String>> flags) {
    this.notes = notes;
    this.flags = flags;
  }

  List<ProfileEntry> all() {
    return new ArrayList<>(entries.values());
  }

  /** The text of an entry; empty when it has none. */
  Optional<String> text(String key) {
    ProfileEntry entry = entries.get(key);
    return entry != null && entry.value() instanceof ProfileValue.Text one
        ? Optional.of(one.text())
        : Optional.empty();
  }

  void put(String key, String text, String... comments) {
    put(ProfileEntry.text(key, text, comments));
  }

  void put(ProfileEntry entry) {
    ProfileEntry chosen = flagged(entry.key()).orElse(entry);
    Optional<String> problem = problem(chosen);
    if (problem.isPresent()) {
      fillIn(chosen.key(), shown(chosen), problem.get());
    } else {
      entries.put(chosen.key(), chosen);
    }
  }

  /** An entry that the flags of its key are part of already. */
  void putMerged(ProfileEntry entry) {
    entries.put(entry.key(), entry);
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  /** The keys of flags that the line says nothing of. */
  void putFlags() {
    flags.keySet().stream()
        .filter(key -> !entries.containsKey(key))
        .forEach(key -> flagged(key).ifPresent(entry -> entries.put(key, entry)));
  }

  /** A key that has no value yet. */
  void fillIn(String key, String found, String why) {
    Optional<ProfileEntry> flag = flagged(key).filter(entry -> problem(entry).isEmpty());
    if (flag.isPresent()) {
      entries.put(key, flag.get());
      return;
    }
    LineNote note =
        LineNote.of(LineNote.Kind.FILL_IN, key + (found.isEmpty() ? "" : ": " + found), why);
    notes.add(note);
    entries.put(key, ProfileEntry.of(key, new ProfileValue.Nothing(), note.text()));
  }

  private Optional<ProfileEntry> flagged(String key) {
    List<String> words = flags.get(key);
    if (words == null) {
      return Optional.empty();
    }
    return Optional.of(
        words.size() == 1 && !key.equals("env") && !key.equals("args")
            ? ProfileEntry.text(key, words.get(0))
            : ProfileEntry.of(key, new ProfileValue.Items(words)));
  }

  private static Optional<String> problem(ProfileEntry entry) {
    String yaml = ProfileTextWriter.write(List.of(), List.of(entry));
    return ProfileReader.read(yaml, "launch line").problems().stream()
        .findFirst()
        .map(Failure::problem)
        .map(says -> says.replaceFirst("^" + entry.key() + "[^:]*: ", ""));
  }

  private static String shown(ProfileEntry entry) {
    String text = entry.value() instanceof ProfileValue.Text one ? one.text() : "";
    return Secrets.isSecret(entry.key()) ? Secrets.REDACTED : Printable.line(text, 100);
  }
}
