package dev.eagle3.extractor;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.NearestWord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The extractors that come with eagle3: {@code resources/extractors/NAME.yaml}. */
public final class BuiltInExtractors {
  /** Their names; a test holds them to the folder. */
  public static final List<String> NAMES =
      List.of("model-optimizer", "specforge", "speculators-0.4", "speculators-0.5");

  private static final String USUAL = "speculators-0.4";

  private BuiltInExtractors() {}

  /** All of them, the usual one first: it is meant where nothing tells which one is. */
  public static List<Extractor> usualFirst() {
    List<String> names = new ArrayList<>(NAMES);
    names.remove(USUAL);
    names.add(0, USUAL);
    return names.stream().map(BuiltInExtractors::named).toList();
  }

  /**
   * Reads one.
   *
   * @throws Failure {@code PROFILE} when there is none of that name
   */
  public static Extractor named(String name) {
    if (!NAMES.contains(name)) {
      String nearest =
          NearestWord.find(name, NAMES).map(near -> "; did you mean " + near + "?").orElse("");
      throw Failure.of(
              Exit.PROFILE, "extractor " + name, "is neither built in nor a file" + nearest)
          .orTry("one of: " + String.join(", ", NAMES));
    }
    String file = "extractors/" + name + ".yaml";
    try (InputStream in = BuiltInExtractors.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ExtractorReader.read(text, name, file);
    } catch (IOException unreadable) {
      throw new IllegalStateException("resource " + file, unreadable);
    }
  }
}
