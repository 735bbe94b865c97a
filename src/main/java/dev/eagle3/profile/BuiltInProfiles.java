package dev.eagle3.profile;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.NearestWord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The profiles that come with eagle3: the files of {@code config/}, copied into the jar. */
public final class BuiltInProfiles {
  /** The one under everything else. */
  public static final String DEFAULT = "kimi-k2.5";

  /** Their names; a test holds them to the folder. */
  public static final List<String> NAMES = List.of(DEFAULT);

  private BuiltInProfiles() {}

  /**
   * Reads one.
   *
   * @throws Failure {@code PROFILE} when there is none of that name
   */
  public static ProfileLayer named(String name) {
    return ProfileReader.read(text(name), name + " (built in)");
  }

  /**
   * The text of one.
   *
   * @throws Failure {@code PROFILE} when there is none of that name
   */
  public static String text(String name) {
    if (!NAMES.contains(name)) {
      String nearest =
          NearestWord.find(name, NAMES).map(near -> "; did you mean " + near + "?").orElse("");
      throw Failure.of(Exit.PROFILE, "profile " + name, "is neither built in nor a file" + nearest)
          .orTry("--profile FILE, or one of: " + String.join(", ", NAMES));
    }
    String resource = "/profiles/" + name + ".yaml";
    try (InputStream in = BuiltInProfiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException("resource " + resource, unreadable);
    }
  }
}
