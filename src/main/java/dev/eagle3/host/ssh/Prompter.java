package dev.eagle3.host.ssh;

import java.util.Optional;

/** Asks the user while a connection is made. Blocks until there is an answer. */
public interface Prompter {
  /** Nobody can be asked: there is no terminal. */
  Prompter NOBODY =
      new Prompter() {
        @Override
        public Optional<char[]> secret(String question) {
          return Optional.empty();
        }

        @Override
        public Optional<String> line(String question) {
          return Optional.empty();
        }
      };

  /**
   * Asks for something that is not shown while it is typed. Who gets it wipes it.
   *
   * @param question as it stands before the cursor; safe to print
   * @return empty when nobody can be asked, or they gave up
   */
  Optional<char[]> secret(String question);

  /** Asks for a line that is shown while it is typed; as {@link #secret}. */
  Optional<String> line(String question);
}
