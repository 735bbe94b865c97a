package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A key that an agent holds.
 *
 * @param agent who holds it
 * @param blob public key or certificate
 * @param name for messages, safe to print
 * @param limit for a signature: the agent may ask the user, or wait for a touch
 * @param asker whose clock stands still meanwhile
 * @param notes gets a sentence when the user must touch something
 */
record AgentKey(
    AgentClient agent,
    KeyBlob blob,
    String name,
    Duration limit,
    LoginAsker asker,
    Consumer<String> notes)
    implements LoginKey {
  private static final int MOST_CHARACTERS = 80;
  private static final int RSA_SHA2_256 = 2;
  private static final int RSA_SHA2_512 = 4;

  /** The name of a key that an agent holds, for messages: its comment, which is foreign text. */
  static String nameOf(AgentClient.Held held) {
    String comment = Printable.line(held.comment(), MOST_CHARACTERS);
    return comment.isBlank() ? HostKeys.fingerprint(held.blob().bytes()) : comment;
  }

  @Override
  public String shown() {
    return "the agent's " + name + " (" + blob.shownType() + ")";
  }

  @Override
  public byte[] sign(String algorithm, byte[] data) throws LoginKeyException {
    int flags =
        switch (algorithm) {
          case "rsa-sha2-256" -> RSA_SHA2_256;
          case "rsa-sha2-512" -> RSA_SHA2_512;
          default -> 0;
        };
    if (blob.isInSecurityKey()) {
      notes.accept("touch the security key of " + shown());
    }
    try {
      byte[] signature = asker.timed(() -> agent.sign(blob, data, flags, limit));
      if (!new WireReader(signature).text().equals(algorithm)) {
        throw new LoginKeyException(shown() + ": the agent cannot sign with " + algorithm);
      }
      return signature;
    } catch (IOException refused) {
      throw new LoginKeyException(
          shown() + ": the agent " + Printable.line(String.valueOf(refused.getMessage()), 200));
    }
  }
}
