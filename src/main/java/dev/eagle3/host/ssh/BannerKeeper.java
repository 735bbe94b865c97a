package dev.eagle3.host.ssh;

import org.apache.sshd.client.auth.keyboard.UserInteraction;
import org.apache.sshd.client.session.ClientSession;

/**
 * Keeps the banner of a server, which may say what a login waits for (a page to visit, an account
 * that is closed). SSHD hands it to who answers questions; those are answered elsewhere.
 *
 * @param report gets it
 */
record BannerKeeper(LoginReport report) implements UserInteraction {
  @Override
  public void welcome(ClientSession session, String banner, String language) {
    report.greet(banner);
  }

  @Override
  public String[] interactive(
      ClientSession session,
      String name,
      String instruction,
      String language,
      String[] prompts,
      boolean[] shown) {
    return new String[0];
  }

  @Override
  public String getUpdatedPassword(ClientSession session, String prompt, String language) {
    return "";
  }
}
