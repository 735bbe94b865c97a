package dev.eagle3.profile;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.profile.ProfileLayer.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts layers on top of each other. The strongest layer that names a key decides, and its {@code
 * null} means no value; variables and flags are put together by name, arguments one after another.
 */
public final class ProfileResolver {
  /** More tell nobody anything: the file is something else. */
  private static final int MOST_PROBLEMS = 100;

  /** A longer command is no name. */
  private static final int MOST_NAME = 60;

  private final List<ProfileLayer> strongestFirst;
  private final List<Failure> problems = new ArrayList<>();

  private ProfileResolver(List<ProfileLayer> strongestFirst) {
    this.strongestFirst = List.copyOf(strongestFirst);
  }

  /**
   * The profile of some layers.
   *
   * @param strongestFirst flags, environment, profile file, built-in profile
   * @throws Failures with all that is wrong in any layer, with what is missing in all, and with
   *     what does not fit together
   */
  public static Profile resolve(List<ProfileLayer> strongestFirst) {
    return new ProfileResolver(strongestFirst).resolve();
  }

  private Profile resolve() {
    strongestFirst.forEach(layer -> problems.addAll(layer.problems()));
    ProfileKey.REQUIRED.forEach(this::require);
    compareGpus();
    compareLogFile();
    throwIfAny();
    return new Profile(
        host(),
        via(),
        needed(ProfileKey.EXTRACTOR),
        needed(ProfileKey.PYTHON),
        needed(ProfileKey.SCRIPT),
        needed(ProfileKey.MODEL_PATH),
        needed(ProfileKey.PREPARED_DATA),
        needed(ProfileKey.OUTPUT_DIR),
        needed(ProfileKey.LOG_FILE),
        needed(ProfileKey.BATCH_SIZE),
        needed(ProfileKey.MAX_SEQ_LEN),
        needed(ProfileKey.TP_SIZE),
        value(ProfileKey.GPU_MEMORY_UTILIZATION),
        needed(ProfileKey.LAYERS),
        value(ProfileKey.CUDA_HOME),
        merged(ProfileKey.ENV),
        value(ProfileKey.GPUS).orElse(List.of()),
        needed(ProfileKey.CLEAR_GPUS),
        needed(ProfileKey.PREVIOUS_OUTPUT),
        needed(ProfileKey.ON_BAD),
        value(ProfileKey.STATE_DIR),
        value(ProfileKey.SETUP).orElse(List.of()),
        value(ProfileKey.WRAP).orElse(List.of()),
        merged(ProfileKey.FLAGS),
        arguments(),
        origins());
  }

  /** The name of the host; weaker layers than that of {@code via} name another machine. */
  private Optional<String> host() {
    Optional<String> via = via();
    if (via.isEmpty()) {
      return value(ProfileKey.HOST);
    }
    return strongestFirst.stream()
        .limit(layerOf(ProfileKey.VIA) + 1)
        .flatMap(layer -> layer.get(ProfileKey.HOST).flatMap(Setting::value).stream())
        .findFirst()
        .or(
            () ->
                via.map(command -> Printable.line(Secrets.shellText(command.strip()), MOST_NAME)));
  }

  /** The command that reaches the host, unless a stronger layer names another host than its own. */
  private Optional<String> via() {
    int at = layerOf(ProfileKey.VIA);
    if (at == strongestFirst.size()) {
      return Optional.empty();
    }
    Optional<String> own = strongestFirst.get(at).get(ProfileKey.HOST).flatMap(Setting::value);
    Optional<String> stronger =
        strongestFirst.stream()
            .limit(at)
            .flatMap(layer -> layer.get(ProfileKey.HOST).flatMap(Setting::value).stream())
            .findFirst();
    return stronger.isPresent() && !stronger.equals(own) ? Optional.empty() : value(ProfileKey.VIA);
  }

  /** The number of the strongest layer that names a key, or how many layers there are. */
  private int layerOf(ProfileKey<?> key) {
    int at = 0;
    while (at < strongestFirst.size() && strongestFirst.get(at).get(key).isEmpty()) {
      at++;
    }
    return at;
  }

  private void throwIfAny() {
    int more = problems.size() - MOST_PROBLEMS;
    if (more > 0) {
      problems.subList(MOST_PROBLEMS, problems.size()).clear();
      problems.add(Failure.of(Exit.PROFILE, "profile", "has " + more + " more problems"));
    }
    if (!problems.isEmpty()) {
      throw new Failures(problems);
    }
  }

  private void require(ProfileKey<?> key) {
    Optional<? extends Setting<?>> setting = strongest(key);
    if (setting.isEmpty()) {
      problems.add(Failure.of(Exit.PROFILE, "profile", key.name() + ": is missing"));
    } else if (setting.get().value().isEmpty() && !setting.get().wrong()) {
      problems.add(setting.get().place().problem("is missing"));
    }
  }

  private void compareGpus() {
    Optional<List<Integer>> gpus = value(ProfileKey.GPUS);
    Optional<Integer> wanted = value(ProfileKey.TP_SIZE);
    if (gpus.isPresent() && wanted.isPresent() && gpus.get().size() < wanted.get()) {
      complain(
          ProfileKey.GPUS,
          "names " + gpus.get().size() + " GPUs, fewer than tp-size " + wanted.get());
    }
  }

  private void compareLogFile() {
    Optional<String> log = value(ProfileKey.LOG_FILE);
    Optional<String> output = value(ProfileKey.OUTPUT_DIR);
    if (log.isPresent() && output.isPresent() && (log.get() + "/").startsWith(output.get() + "/")) {
      complain(ProfileKey.LOG_FILE, "lies in output-dir, which is set aside before a run");
    }
    // A plain file at the log path is moved aside at every launch.
    for (ProfileKey<String> key :
        List.of(
            ProfileKey.SCRIPT,
            ProfileKey.PYTHON,
            ProfileKey.PREPARED_DATA,
            ProfileKey.MODEL_PATH)) {
      Optional<String> needed = value(key);
      if (log.isPresent()
          && needed.isPresent()
          && (log.get() + "/").startsWith(needed.get() + "/")) {
        complain(ProfileKey.LOG_FILE, "is the " + key.name() + " of the job, or lies in it");
      }
    }
  }

  private void complain(ProfileKey<?> key, String says) {
    strongest(key).ifPresent(setting -> problems.add(setting.place().problem(says)));
  }

  private <T> Optional<Setting<T>> strongest(ProfileKey<T> key) {
    return strongestFirst.stream().flatMap(layer -> layer.get(key).stream()).findFirst();
  }

  private <T> Optional<T> value(ProfileKey<T> key) {
    return strongest(key).flatMap(Setting::value);
  }

  private <T> T needed(ProfileKey<T> key) {
    return value(key).orElseThrow(() -> new IllegalStateException(key.name()));
  }

  /** The settings that count for a key whose values are put together, weakest first. */
  private <T> List<T> weakestFirst(ProfileKey<T> key) {
    List<T> values = new ArrayList<>();
    for (ProfileLayer layer : strongestFirst) {
      Optional<Setting<T>> setting = layer.get(key);
      if (setting.isPresent() && setting.get().value().isEmpty()) {
        break;
      }
      setting.flatMap(Setting::value).ifPresent(values::add);
    }
    Collections.reverse(values);
    return values;
  }

  private <V> Map<String, V> merged(ProfileKey<Map<String, V>> key) {
    Map<String, V> merged = new LinkedHashMap<>();
    weakestFirst(key).forEach(merged::putAll);
    return merged;
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    weakestFirst(ProfileKey.ARGS).forEach(arguments::addAll);
    return arguments;
  }

  private Map<String, String> origins() {
    Map<String, String> origins = new LinkedHashMap<>();
    for (ProfileKey<?> key : ProfileKey.ALL) {
      strongest(key).ifPresent(setting -> origins.put(key.name(), setting.place().text()));
    }
    return origins;
  }
}
