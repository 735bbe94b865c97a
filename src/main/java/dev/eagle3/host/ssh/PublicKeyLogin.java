package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.kex.extension.DefaultClientKexExtensionHandler;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Logs in with keys (RFC 4252 section 7): shows the server one public half after the other, and
 * only a key that it would take has to sign.
 */
final class PublicKeyLogin extends LoginMethod {
  private final Set<KeyBlob> seen = new HashSet<>();
  private final Deque<LoginKey> keys = new ArrayDeque<>();
  private LoginKeys.@Nullable Order order;
  private boolean begunRest;
  private @Nullable Offer offer;

  /**
   * What the server was asked last.
   *
   * @param request the algorithm as the request names it
   * @param signature the algorithm of the signature
   */
  private record Offer(LoginKey key, KeyBlob blob, String request, String signature) {}

  PublicKeyLogin() {
    super(LoginOptions.PUBLIC_KEY);
  }

  @Override
  boolean begin() throws IOException {
    offer = null;
    LoginKeys.Order all = order == null ? login().keys().get() : order;
    if (order == null) {
      order = all;
      keys.addAll(all.first());
    }
    while (true) {
      if (keys.isEmpty() && !begunRest) {
        begunRest = true;
        if (leavesRoom()) {
          login().report().leaveOut(all.rest().size());
        } else {
          keys.addAll(all.rest());
        }
      }
      LoginKey key = keys.poll();
      if (key == null) {
        return false;
      }
      try {
        if (offer(key)) {
          return true;
        }
      } catch (LoginKeyException unusable) {
        login().report().passOver(unusable);
      }
    }
  }

  /**
   * A server hangs up after some refusals; where a person can be asked, that must stay possible.
   */
  private boolean leavesRoom() {
    return login().asker().canAsk()
        && login().report().methods().stream()
            .anyMatch(
                method ->
                    !method.equals(getName()) && login().options().methods().contains(method));
  }

  private boolean offer(LoginKey key) throws IOException, LoginKeyException {
    KeyBlob blob = key.blob();
    if (!seen.add(blob)) {
      return false;
    }
    String signature = signatureAlgorithm(key, blob);
    Offer made = new Offer(key, blob, blob.requestAlgorithm(signature), signature);
    Buffer buffer = request();
    buffer.putBoolean(false);
    buffer.putString(made.request());
    buffer.putBytes(blob.bytes());
    getSession().writePacket(buffer);
    offer = made;
    return true;
  }

  /** RSA keys sign with SHA-2, where the server says that it knows it. */
  private String signatureAlgorithm(LoginKey key, KeyBlob blob) throws LoginKeyException {
    if (!blob.keyType().equals("ssh-rsa")) {
      return blob.keyType();
    }
    Set<String> known =
        getSession().getAttribute(DefaultClientKexExtensionHandler.SERVER_ALGORITHMS);
    if (known == null || known.isEmpty() || known.contains("rsa-sha2-512")) {
      return "rsa-sha2-512";
    }
    if (known.contains("rsa-sha2-256")) {
      return "rsa-sha2-256";
    }
    throw new LoginKeyException(key.shown() + ": the server takes no RSA key with SHA-2");
  }

  @Override
  boolean answer(int message, WireReader rest) throws IOException {
    Offer taken = offer;
    if (message != SshConstants.SSH_MSG_USERAUTH_PK_OK || taken == null) {
      throw new IOException("answers an offered key with message " + message);
    }
    rest.string();
    if (!KeyBlob.of(rest.string()).equals(taken.blob())) {
      throw new IOException("answers for another key than the one offered");
    }
    try {
      sign(taken);
      return true;
    } catch (LoginKeyException unusable) {
      login().report().passOver(unusable);
      // The same key may be at hand in another way: in a file, beside an agent.
      seen.remove(taken.blob());
      return begin();
    }
  }

  private void sign(Offer taken) throws IOException, LoginKeyException {
    Buffer claim = new ByteArrayBuffer();
    claim.putByte(SshConstants.SSH_MSG_USERAUTH_REQUEST);
    claim.putString(getSession().getUsername(), UTF_8);
    claim.putString(service(), UTF_8);
    claim.putString(getName(), UTF_8);
    claim.putBoolean(true);
    claim.putString(taken.request(), UTF_8);
    claim.putBytes(taken.blob().bytes());
    byte[] said = claim.getCompactData();
    ByteArrayBuffer signed = new ByteArrayBuffer();
    signed.putBytes(getSession().getSessionId());
    signed.putRawBytes(said);
    byte[] signature = taken.key().sign(taken.signature(), signed.getCompactData());
    Buffer buffer = request();
    buffer.putBoolean(true);
    buffer.putString(taken.request());
    buffer.putBytes(taken.blob().bytes());
    buffer.putBytes(signature);
    getSession().writePacket(buffer);
  }

  @Override
  void refused(boolean partly) {
    Offer refused = offer;
    if (refused == null) {
      return;
    }
    if (partly) {
      login().report().take(refused.key().shown());
      return;
    }
    login().report().refuse(refused.key().shown());
    if (refused.key() instanceof FileKey file) {
      login().report().refuseFile(file.path().toString());
    }
  }
}
