package dev.eagle3.cli;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.Units;
import dev.eagle3.verify.ValueVerifier;
import dev.eagle3.verify.deep.DeepChoice;
import dev.eagle3.verify.deep.DeepChooser;
import dev.eagle3.verify.deep.DeepVerifier;
import dev.eagle3.verify.deep.ReadRateMeter;
import java.io.IOException;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether to look at values too, and at how many. */
final class DeepOptions {
  /** More than this is read over a connection only when it was asked for in so many words. */
  static final long MOST_BYTES_UNASKED = 10_000_000_000L;

  private static final String ALL = "1";

  /** Streams that fill a connection; each is read ahead. */
  private static final int STREAMS_REMOTE = 4;

  @Option(
      names = "--deep",
      arity = "0..1",
      fallbackValue = ALL,
      paramLabel = "SHARE",
      parameterConsumer = ShareWord.class,
      description =
          "Read the values too: checksums, NaN, Inf, zeros, layers and rows that are equal and"
              + " should not be. SHARE of the files: 0.1 or 10%%.")
  @Nullable String deep;

  @Option(
      names = {"-y", "--yes"},
      description =
          "Answer yes: move bad files to quarantine, and read more than 10 GB of a host for"
              + " --deep.")
  boolean yes;

  /** Whether values are to be read. */
  boolean isAsked() {
    return deep != null;
  }

  /** How many files to read at once. */
  int inFlight(Place place, int headersOnly) {
    if (deep == null) {
      return headersOnly;
    }
    return place.host() == null
        ? Math.min(headersOnly, Runtime.getRuntime().availableProcessors())
        : STREAMS_REMOTE;
  }

  /**
   * What looks at the values, after saying how much that is; nothing where that is not asked.
   *
   * @throws Failure {@code USAGE} for a share that is none, {@code REFUSED} for more than 10 GB of
   *     a host that were not asked for
   * @throws IOException when the files cannot be listed
   */
  ValueVerifier verifier(Place place, EventSink sink) throws IOException {
    if (deep == null) {
      return ValueVerifier.NONE;
    }
    double share = share(deep);
    DeepChoice choice = new DeepChooser(place.files()).choose(place.paths(), share);
    String says = says(choice, share);
    if (place.host() != null) {
      says += seconds(place, choice);
      if (choice.bytes() > MOST_BYTES_UNASKED && share == 1 && !yes) {
        throw Failure.of(
                Exit.REFUSED,
                place.shown(place.paths().get(0)),
                "--deep would read "
                    + says
                    + "; more than 10 GB is read only with a share or --yes")
            .orTry("--deep=0.01, or --deep --yes");
      }
    }
    sink.emit(new Event.Check("samples", "deep", "note", "reading " + says));
    // A file that appears meanwhile is read too, unless a share was chosen.
    return new DeepVerifier(
        place.files(), share == 1 ? path -> true : path -> choice.paths().contains(path));
  }

  private static String says(DeepChoice choice, double share) {
    String chosen = Units.count(choice.paths().size());
    String noun = choice.files() == 1 ? " file" : " files";
    return Units.bytes(choice.bytes())
        + " of "
        + (share < 1 ? chosen + " of " + Units.count(choice.files()) : chosen)
        + noun
        + (share < 1 ? ", chosen by chance (seed " + DeepChooser.SEED + ")" : "");
  }

  private static String seconds(Place place, DeepChoice choice) throws IOException {
    if (choice.first().isEmpty()) {
      return "";
    }
    OptionalDouble rate;
    try {
      rate = new ReadRateMeter(place.files(), System::nanoTime).measure(choice.first().get(0));
    } catch (IOException unreadable) {
      // A file that vanished or cannot be read is for the verification to report.
      place.files().stat(choice.first().get(0));
      return "";
    }
    return rate.isEmpty()
        ? ""
        : ", about " + Units.duration(Math.round(choice.bytes() / rate.getAsDouble()));
  }

  private static double share(String word) {
    boolean percent = word.endsWith("%");
    double share;
    try {
      share = Double.parseDouble(percent ? word.substring(0, word.length() - 1) : word);
    } catch (NumberFormatException noNumber) {
      throw noShare(word);
    }
    share = percent ? share / 100 : share;
    if (!(share > 0 && share <= 1)) {
      throw noShare(word);
    }
    return share;
  }

  private static Failure noShare(String word) {
    return Failure.of(Exit.USAGE, "--deep", "\"" + word + "\" is no share of the files")
        .orTry("--deep=0.1, or --deep=10%");
  }
}
