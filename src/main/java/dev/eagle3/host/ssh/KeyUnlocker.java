package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.eagle3.host.ShellQuote;
import java.io.IOException;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.loader.openssh.kdf.BCryptKdfOptions;

/** Unlocks private key files with passphrases that the user types: three tries, as ssh. */
final class KeyUnlocker {
  private static final int TRIES = 3;
  private static final int MOST_ITERATIONS = 10_000_000;

  /** How the JDK names the algorithms of PBES2. */
  private static final Pattern PBES2 = Pattern.compile("PBEWith(HmacSHA\\d+)AndAES_(\\d+)");

  private final LoginAsker asker;
  private final UnlockedKeys unlocked;

  KeyUnlocker(LoginAsker asker, UnlockedKeys unlocked) {
    this.asker = asker;
    this.unlocked = unlocked;
  }

  /**
   * The key of a locked file; blocks while the user types.
   *
   * @throws LoginKeyException when nobody can be asked, or they do not know the passphrase
   */
  KeyPair unlock(KeyFile file) throws LoginKeyException {
    Optional<KeyPair> before = unlocked.of(file);
    if (before.isPresent()) {
      return before.get();
    }
    String name = file.file().toString();
    if (!asker.canAsk()) {
      throw refusal(file);
    }
    for (int turn = 1; turn <= TRIES; turn++) {
      String wrong = turn == 1 ? "" : "wrong passphrase (" + (TRIES - turn + 1) + " left); ";
      Optional<char[]> passphrase = asker.secret(wrong + "passphrase of " + name + ": ");
      if (passphrase.isEmpty()) {
        throw new LoginKeyException(name + " has a passphrase, which was not given");
      }
      char[] typed = passphrase.get();
      try {
        Optional<KeyPair> pair = asker.timed(() -> tryPassphrase(file, typed));
        if (pair.isPresent()) {
          unlocked.keep(file.file(), pair.get());
          return pair.get();
        }
      } finally {
        Arrays.fill(typed, '\0');
      }
    }
    throw new LoginKeyException(name + ": wrong passphrase, " + TRIES + " times");
  }

  /** Says that a file is locked and nobody can be asked. */
  LoginKeyException refusal(KeyFile file) {
    return new LoginKeyException(
        file.file() + " has a passphrase, and " + asker.whyNot("it"),
        "ssh-add " + ShellQuote.word(file.file().toString()));
  }

  /** Empty when the passphrase is wrong. */
  private Optional<KeyPair> tryPassphrase(KeyFile file, char[] passphrase)
      throws LoginKeyException {
    try {
      String text = KeyFileReader.text(file.file());
      return Optional.of(
          file.form() == KeyFile.Form.LOCKED_PKCS8
              ? pkcs8(file.file(), text, passphrase)
              : decode(file.file(), text, passphrase));
    } catch (NoSuchAlgorithmException unsupported) {
      throw new LoginKeyException(
          file.file() + " is locked with a cipher that is not supported",
          "ssh-keygen -p -Z aes256-ctr -f " + ShellQuote.word(file.file().toString()));
    } catch (IOException | GeneralSecurityException | RuntimeException wrong) {
      // The formats tell a wrong passphrase by what it decrypts to: anything may be wrong with it.
      return Optional.empty();
    }
  }

  private KeyPair decode(Path file, String text, char[] passphrase)
      throws IOException, GeneralSecurityException {
    BCryptKdfOptions.setMaxAllowedRounds(KeyFileReader.mostRounds());
    // SSHD wants a String, which nobody can wipe; it lives as long as this call.
    FilePasswordProvider once = (session, resource, turn) -> new String(passphrase);
    return KeyFileReader.decode(file, text, once);
  }

  /** PKCS #8 behind a passphrase (RFC 5958): the JDK unlocks it, SSHD reads what was in it. */
  private static KeyPair pkcs8(Path file, String text, char[] passphrase)
      throws IOException, GeneralSecurityException {
    int begin = text.indexOf("KEY-----") + "KEY-----".length();
    int end = text.indexOf("-----END", begin);
    if (end < 0) {
      throw new IOException("a key without its end");
    }
    byte[] plain =
        decrypt(
            new EncryptedPrivateKeyInfo(Base64.getMimeDecoder().decode(text.substring(begin, end))),
            passphrase);
    try {
      String pem =
          "-----BEGIN PRIVATE KEY-----\n"
              + new String(Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(plain), US_ASCII)
              + "\n-----END PRIVATE KEY-----\n";
      return KeyFileReader.decode(file, pem, FilePasswordProvider.EMPTY);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  /** PBES2 (RFC 8018) with AES; the JDK's own cipher of that name takes ASCII passphrases only. */
  private static byte[] decrypt(EncryptedPrivateKeyInfo info, char[] passphrase)
      throws GeneralSecurityException {
    AlgorithmParameters parameters = info.getAlgParameters();
    Matcher names = PBES2.matcher(parameters == null ? "" : parameters.toString());
    if (!names.matches()) {
      throw new NoSuchAlgorithmException(info.getAlgName());
    }
    PBEParameterSpec said = parameters.getParameterSpec(PBEParameterSpec.class);
    if (said.getIterationCount() > MOST_ITERATIONS) {
      throw new NoSuchAlgorithmException(said.getIterationCount() + " iterations");
    }
    PBEKeySpec spec =
        new PBEKeySpec(
            passphrase, said.getSalt(), said.getIterationCount(), Integer.parseInt(names.group(2)));
    try {
      byte[] key =
          SecretKeyFactory.getInstance("PBKDF2With" + names.group(1))
              .generateSecret(spec)
              .getEncoded();
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), said.getParameterSpec());
      return cipher.doFinal(info.getEncryptedData());
    } finally {
      spec.clearPassword();
    }
  }
}
