package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that the user unlocked in this process: a connection that is made anew, or one more hop,
 * does not ask again. Only memory holds them.
 */
final class UnlockedKeys {
  private final Map<Path, KeyPair> pairs = new ConcurrentHashMap<>();

  /** The unlocked key of a file, if its public half is still that of the file. */
  Optional<KeyPair> of(KeyFile file) {
    return Optional.ofNullable(pairs.get(file.file()))
        .filter(
            pair ->
                file.publicHalf()
                    .filter(half -> !half.equals(KeyFileReader.publicHalf(pair)))
                    .isEmpty());
  }

  void keep(Path file, KeyPair pair) {
    pairs.put(file, pair);
  }
}
