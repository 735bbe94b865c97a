package dev.eagle3.host.ssh;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.sshd.common.util.buffer.Buffer;

/** Logs in with a password that the user types (RFC 4252 section 8). */
final class PasswordLogin extends LoginMethod {
  private int attempts;
  private boolean over;

  PasswordLogin() {
    super(LoginOptions.PASSWORD);
  }

  @Override
  boolean begin() throws IOException {
    if (over || attempts >= login().options().prompts() || !login().asker().isThere()) {
      return false;
    }
    String again = attempts == 0 ? "" : "refused; ";
    attempts++;
    Optional<char[]> typed = login().asker().secret(again + "password of " + login().who() + ": ");
    if (typed.isEmpty()) {
      login().asker().giveUp();
      login().report().passOver("no password was given");
      return false;
    }
    byte[] password = KeyboardLogin.wiped(typed.get());
    try {
      Buffer buffer = request();
      buffer.putBoolean(false);
      buffer.putBytes(password);
      getSession().writePacket(buffer);
      return true;
    } finally {
      Arrays.fill(password, (byte) 0);
    }
  }

  /** The only answer beside yes and no: a new password is wanted. */
  @Override
  boolean answer(int message, WireReader rest) {
    over = true;
    login().report().passOver("the server wants a new password set first, which ssh can do");
    return false;
  }

  @Override
  void refused(boolean partly) {
    if (partly) {
      login().report().take(getName());
    } else if (!over) {
      login().report().refuse("the password");
    }
  }
}
