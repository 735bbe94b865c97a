package dev.eagle3.cli;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.extractor.ExtractorReader;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.Profile;
import dev.eagle3.profile.ProfileLayer;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.profile.ProfileResolver;
import dev.eagle3.yaml.YamlFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the files that a command line names, and puts profile and extractor together. */
final class Plans {
  private Plans() {}

  /** The profile of a command line: flags over environment over profile over the built-in one. */
  static Profile profile(
      JobOptions job, ConnectionOptions connection, Map<String, String> environment) {
    Map<String, List<String>> words = new LinkedHashMap<>(job.words());
    words.putAll(connection.words());
    List<ProfileLayer> layers = new ArrayList<>();
    layers.add(FlagReader.read(words));
    layers.add(FlagReader.environment(environment));
    layers.add(named(job.profile));
    if (job.profile != null && !job.profile.equals(BuiltInProfiles.DEFAULT)) {
      layers.add(BuiltInProfiles.named(BuiltInProfiles.DEFAULT));
    }
    return ProfileResolver.resolve(layers);
  }

  /** Ends with all that is wrong with flags. */
  static void refuseMistakes(Map<String, List<String>> words) {
    List<Failure> problems = FlagReader.read(words).problems();
    if (!problems.isEmpty()) {
      throw new Failures(problems);
    }
  }

  /** The extractor of a profile: a built-in one, or a YAML file. */
  static Extractor extractor(String name) {
    if (BuiltInExtractors.NAMES.contains(name) || !isFile(name)) {
      return BuiltInExtractors.named(name);
    }
    Path file = Path.of(name);
    String base = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    return ExtractorReader.read(YamlFile.text(file), base, name);
  }

  private static ProfileLayer named(@Nullable String profile) {
    if (profile == null) {
      return BuiltInProfiles.named(BuiltInProfiles.DEFAULT);
    }
    return isFile(profile)
        ? ProfileReader.read(YamlFile.text(Path.of(profile)), profile)
        : BuiltInProfiles.named(profile);
  }

  private static boolean isFile(String name) {
    return name.contains("/")
        || name.endsWith(".yaml")
        || name.endsWith(".yml")
        || Files.isRegularFile(Path.of(name));
  }
}
