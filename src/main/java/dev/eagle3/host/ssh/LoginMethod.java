package dev.eagle3.host.ssh;

import java.io.IOException;
import java.util.List;
import org.apache.sshd.client.auth.UserAuth;
import org.apache.sshd.client.auth.UserAuthFactory;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.util.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A way to log in, in the form that SSHD drives: each turn sends one request, until there is
 * nothing more to send.
 */
abstract class LoginMethod implements UserAuth {
  private final String name;
  private @Nullable ClientSession session;
  private String service = "";
  private @Nullable Login login;

  LoginMethod(String name) {
    this.name = name;
  }

  /** The ways of ssh_config, made only when a server takes them. */
  static List<UserAuthFactory> factories(SshDestination destination) {
    return LoginOptions.methods(destination.options()).stream().map(LoginMethod::factory).toList();
  }

  private static UserAuthFactory factory(String method) {
    return new UserAuthFactory() {
      @Override
      public String getName() {
        return method;
      }

      @Override
      public UserAuth createUserAuth(ClientSession session) {
        return switch (method) {
          case LoginOptions.KEYBOARD -> new KeyboardLogin();
          case LoginOptions.PASSWORD -> new PasswordLogin();
          default -> new PublicKeyLogin();
        };
      }
    };
  }

  /** Sends the next request; false when there is none. */
  abstract boolean begin() throws IOException;

  /**
   * Answers what the server said to the last request.
   *
   * @return false to give this way up
   * @throws IOException when what it said makes no sense, with a clause that follows "the server"
   */
  abstract boolean answer(int message, WireReader rest) throws IOException;

  /** The server did not let one in with the last request, or not with that alone. */
  abstract void refused(boolean partly);

  final Login login() {
    if (login == null) {
      throw new IllegalStateException("not begun");
    }
    return login;
  }

  final String service() {
    return service;
  }

  /** A request of this way, up to its name. */
  final Buffer request() {
    Buffer buffer = getSession().createBuffer(SshConstants.SSH_MSG_USERAUTH_REQUEST);
    buffer.putString(getSession().getUsername());
    buffer.putString(service);
    buffer.putString(name);
    return buffer;
  }

  @Override
  public final String getName() {
    return name;
  }

  @Override
  public final ClientSession getClientSession() {
    return getSession();
  }

  @Override
  public final ClientSession getSession() {
    if (session == null) {
      throw new IllegalStateException("not begun");
    }
    return session;
  }

  @Override
  public final void init(ClientSession of, String wanted) {
    session = of;
    service = wanted;
    login = of.getAttribute(Login.KEY);
  }

  @Override
  public final boolean process(@Nullable Buffer buffer) throws IOException {
    if (buffer == null) {
      return begin();
    }
    int message = buffer.getUByte();
    byte[] rest = new byte[buffer.available()];
    buffer.getRawBytes(rest);
    try {
      return answer(message, new WireReader(rest));
    } catch (IOException senseless) {
      if (!getSession().isOpen()) {
        throw senseless;
      }
      login().report().passOver(name + ": the server " + senseless.getMessage());
      return false;
    }
  }

  @Override
  public final void signalAuthMethodFailure(
      ClientSession of, String wanted, boolean partly, List<String> methods, Buffer buffer) {
    login().report().takesMethods(methods);
    refused(partly);
  }

  @Override
  public void destroy() {
    // Nothing is held.
  }
}
