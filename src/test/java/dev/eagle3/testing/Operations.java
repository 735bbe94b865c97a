package dev.eagle3.testing;

import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Counts what is asked of a host, over all connections to it: each script and other command, each
 * stream that is opened, each question about files. Somebody may meddle right before and right
 * after each.
 */
public final class Operations {
  private final Meddler meddler;
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Operation> seen = new ArrayList<>();

  /** Which side of an operation. */
  public enum Side {
    BEFORE,
    AFTER
  }

  /**
   * One of them.
   *
   * @param name of a script: {@code set-aside}; of a question about files: {@code file list}
   * @param nth how often the name had come by then, from 1
   */
  public record Operation(String name, int nth) {
    @Override
    public String toString() {
      return name + " " + nth;
    }
  }

  /** Who meddles. Called by many threads at once. */
  @FunctionalInterface
  public interface Meddler {
    /** Nobody. */
    Meddler NOBODY = (operation, side) -> false;

    /**
     * Does something at an operation.
     *
     * @return whether the connection is gone, so that no answer can arrive
     */
    boolean meddle(Operation operation, Side side);
  }

  /** Counts from nothing. */
  public Operations(Meddler meddler) {
    this.meddler = meddler;
  }

  /** A connection whose operations are counted. */
  public Host count(Host connection) {
    return new CountedHost(connection, this);
  }

  /** All so far, in the order in which they began. */
  public synchronized List<Operation> seen() {
    return List.copyOf(seen);
  }

  Operation begin(String name) {
    Operation operation;
    synchronized (this) {
      operation = new Operation(name, counts.merge(name, 1, Integer::sum));
      seen.add(operation);
    }
    meddler.meddle(operation, Side.BEFORE);
    return operation;
  }

  boolean end(Operation operation) {
    return meddler.meddle(operation, Side.AFTER);
  }

  /** The script that a command brings; else the command's own line. */
  static String nameOf(Command command) {
    for (Map.Entry<String, String> script : Scripts.TEXTS.entrySet()) {
      if (command.stdin().contains(script.getValue() + ")\n")) {
        return script.getKey();
      }
    }
    return command.line();
  }

  private static final class Scripts {
    private static final Map<String, String> TEXTS = texts();

    private static Map<String, String> texts() {
      Map<String, String> texts = new HashMap<>();
      try (Stream<Path> files =
          Files.list(
              Path.of(HostScripts.class.getResource("/host/launch.sh").toURI()).getParent())) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".sh"))
            .map(name -> name.substring(0, name.length() - ".sh".length()))
            .forEach(name -> texts.put(name, HostScripts.text(name)));
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      } catch (URISyntaxException impossible) {
        throw new AssertionError(impossible);
      }
      return texts;
    }
  }

  /** Reads what {@link Operation#toString} wrote. */
  public static Optional<Operation> parse(String text) {
    int blank = text.lastIndexOf(' ');
    return blank < 0
        ? Optional.empty()
        : Optional.of(
            new Operation(text.substring(0, blank), Integer.parseInt(text.substring(blank + 1))));
  }
}
