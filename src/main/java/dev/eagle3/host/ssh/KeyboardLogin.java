package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.util.buffer.Buffer;

/**
 * Logs in by answering what the server asks (keyboard-interactive, RFC 4256): passwords, codes of a
 * second factor. The questions are the server's own words; each stands behind its name, so that it
 * cannot pose as a question of this program.
 */
final class KeyboardLogin extends LoginMethod {
  private static final int MOST_PROMPTS = 16;

  /** Questions without an end are no login. */
  private static final int MOST_ROUNDS = 20;

  private int attempts;
  private int rounds;
  private boolean asked;

  KeyboardLogin() {
    super(LoginOptions.KEYBOARD);
  }

  @Override
  boolean begin() throws IOException {
    if (attempts >= login().options().prompts() || !login().asker().isThere()) {
      return false;
    }
    if (attempts > 0 && !asked) {
      return false; // It refuses without a question, and would do so again.
    }
    attempts++;
    asked = false;
    Buffer buffer = request();
    buffer.putString(""); // language
    buffer.putString(""); // sub-methods
    getSession().writePacket(buffer);
    return true;
  }

  @Override
  boolean answer(int message, WireReader rest) throws IOException {
    if (message != SshConstants.SSH_MSG_USERAUTH_INFO_REQUEST || ++rounds > MOST_ROUNDS) {
      throw new IOException("asks without an end, or out of turn");
    }
    String name = rest.text();
    String instruction = rest.text();
    rest.text(); // language
    long count = rest.uint32();
    if (count > MOST_PROMPTS) {
      throw new IOException("asks " + count + " questions at once");
    }
    List<byte[]> answers = new ArrayList<>();
    try {
      for (int number = 0; number < count; number++) {
        asked = true;
        String before = number == 0 ? introduction(name, instruction) : "";
        String prompt = before + marked(rest.text());
        Optional<byte[]> answer = ask(prompt, rest.uint8() != 0);
        if (answer.isEmpty()) {
          login().asker().giveUp();
          login().report().passOver("a question of the server was not answered");
          return false;
        }
        answers.add(answer.get());
      }
      reply(answers);
      return true;
    } finally {
      answers.forEach(answer -> Arrays.fill(answer, (byte) 0));
    }
  }

  @Override
  void refused(boolean partly) {
    if (partly) {
      login().report().take(getName());
    } else if (asked) {
      login().report().refuse("what was typed");
    }
  }

  private void reply(List<byte[]> answers) throws IOException {
    Buffer buffer = getSession().createBuffer(SshConstants.SSH_MSG_USERAUTH_INFO_RESPONSE);
    buffer.putInt(answers.size());
    answers.forEach(buffer::putBytes);
    getSession().writePacket(buffer);
  }

  private Optional<byte[]> ask(String prompt, boolean shown) {
    return shown
        ? login().asker().line(prompt).map(line -> line.getBytes(UTF_8))
        : login().asker().secret(prompt).map(KeyboardLogin::wiped);
  }

  private String introduction(String name, String instruction) {
    StringBuilder lines = new StringBuilder();
    for (String part : List.of(name, instruction)) {
      if (!part.isBlank()) {
        lines.append(marked(part.strip())).append('\n');
      }
    }
    return lines.toString();
  }

  private String marked(String words) {
    String mark = "(" + login().who() + ") ";
    return mark + words.lines().reduce((one, other) -> one + "\n" + mark + other).orElse("");
  }

  /** As bytes, with the characters wiped. */
  static byte[] wiped(char[] typed) {
    // Into an array of our own: what UTF_8.encode makes cannot be wiped for certain.
    ByteBuffer encoded = ByteBuffer.wrap(new byte[typed.length * 3]);
    UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(typed), encoded, true);
    byte[] bytes = Arrays.copyOf(encoded.array(), encoded.position());
    Arrays.fill(encoded.array(), (byte) 0);
    Arrays.fill(typed, '\0');
    return bytes;
  }
}
