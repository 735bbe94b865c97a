package dev.eagle3.cli;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the folder of a model that the command line names. */
final class ModelFolder {
  private ModelFolder() {}

  /**
   * The folder of a model that the command line names.
   *
   * @throws Failure {@code USAGE} when there is none: nothing would be checked against it
   */
  static Optional<String> find(String option, @Nullable String word, Place place)
      throws IOException {
    if (word == null) {
      return Optional.empty();
    }
    String folder = place.here(option, word);
    Optional<FileStat> there;
    Optional<FileStat> config;
    try {
      there = place.files().stat(folder);
      config = place.files().stat(folder + "/config.json");
    } catch (AccessDeniedException denied) {
      throw noModel(option, place.shown(folder), "may not be read");
    }
    if (there.isEmpty()) {
      throw noModel(option, place.shown(folder), "is not there");
    }
    if (there.get().kind() != FileKind.FOLDER || config.isEmpty()) {
      throw noModel(option, place.shown(folder), "is no folder with a config.json");
    }
    return Optional.of(folder);
  }

  private static Failure noModel(String option, String folder, String why) {
    return Failure.of(Exit.USAGE, option + " " + Printable.line(folder, 300), why)
        .orTry("the model's folder on the machine of the files; names of a hub are not looked up");
  }
}
