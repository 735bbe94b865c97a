package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Optional;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** A key of a file, unlocked when it is needed. */
final class FileKey implements LoginKey {
  private final KeyFile file;
  private final KeyUnlocker unlocker;

  FileKey(KeyFile file, KeyUnlocker unlocker) {
    this.file = file;
    this.unlocker = unlocker;
  }

  Path path() {
    return file.file();
  }

  /** Its public half, where no passphrase is needed to see it. */
  Optional<KeyBlob> known() {
    return file.publicHalf();
  }

  @Override
  public String shown() {
    return file.file() + file.publicHalf().map(half -> " (" + half.shownType() + ")").orElse("");
  }

  @Override
  public KeyBlob blob() throws LoginKeyException {
    return file.publicHalf().isPresent()
        ? file.publicHalf().get()
        : KeyFileReader.publicHalf(pair());
  }

  @Override
  public byte[] sign(String algorithm, byte[] data) throws LoginKeyException {
    KeyPair pair = pair();
    if (!KeyFileReader.publicHalf(pair).equals(blob())) {
      throw new LoginKeyException(
          KeyFileReader.beside(file.file(), ".pub") + " is not the public half of " + file.file());
    }
    BuiltinSignatures factory = BuiltinSignatures.fromFactoryName(algorithm);
    if (factory == null || !factory.isSupported()) {
      throw new LoginKeyException(file.file() + " is of a kind that cannot log in: " + algorithm);
    }
    try {
      Signature signature = factory.create();
      signature.initSigner(null, pair.getPrivate());
      signature.update(null, data);
      ByteArrayBuffer buffer = new ByteArrayBuffer();
      buffer.putString(algorithm);
      buffer.putBytes(signature.sign(null));
      return buffer.getCompactData();
    } catch (Exception unusable) { // SSHD's signatures declare it
      throw new LoginKeyException(file.file() + " cannot sign");
    }
  }

  private KeyPair pair() throws LoginKeyException {
    return file.pair().isPresent() ? file.pair().get() : unlocker.unlock(file);
  }
}
