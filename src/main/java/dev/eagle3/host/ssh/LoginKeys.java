package dev.eagle3.host.ssh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * In which order keys are offered: certificates, keys of the agent that identity files name, other
 * keys of the agent, keys of files; that is ssh's order. Servers hang up after some refusals
 * ({@code MaxAuthTries}, 6 unless they say otherwise), so of the other keys of the agent only as
 * many come before the files as leave room for these.
 */
final class LoginKeys {
  /** What OpenSSH's server allows unless it is told otherwise. */
  static final int USUAL_TRIES = 6;

  private final List<KeyFile> files;
  private final List<Certificate> certificates;
  private final List<? extends LoginKey> held;
  private final KeyUnlocker unlocker;
  private final String user;

  /**
   * What there is.
   *
   * @param files identity files, in their order
   * @param certificates those of files
   * @param held keys and certificates of the agent
   */
  LoginKeys(
      List<KeyFile> files,
      List<Certificate> certificates,
      List<? extends LoginKey> held,
      KeyUnlocker unlocker,
      String user) {
    this.files = files;
    this.certificates = certificates;
    this.held = held;
    this.unlocker = unlocker;
    this.user = user;
  }

  /**
   * Keys in the order to offer them.
   *
   * @param first these in any case
   * @param rest these when nothing would be lost by it
   */
  record Order(List<LoginKey> first, List<LoginKey> rest) {
    boolean isEmpty() {
      return first.isEmpty() && rest.isEmpty();
    }
  }

  /**
   * Puts them in order.
   *
   * @param tries how many refusals can be afforded
   * @param report gets what cannot be offered
   */
  Order order(LoginOptions options, int tries, LoginReport report) {
    List<LoginKey> named = new ArrayList<>();
    List<LoginKey> others = new ArrayList<>();
    sortHeld(named, others);
    List<LoginKey> certified = certified(report);
    List<LoginKey> ofFiles =
        files.stream()
            .filter(file -> file.form() != KeyFile.Form.PUBLIC_HALF)
            .<LoginKey>map(file -> new FileKey(file, unlocker))
            .toList();
    for (KeyFile file : files) {
      if (file.form() == KeyFile.Form.PUBLIC_HALF
          && holder(file.publicHalf().orElseThrow()).isEmpty()) {
        report.passOver(
            file.file() + ": only its public half is there, and no agent holds the private one");
      }
    }
    Set<LoginKey> ordered = new LinkedHashSet<>(certified);
    ordered.addAll(named);
    if (!options.identitiesOnly()) {
      int room = tries - ordered.size() - alone(ofFiles);
      ordered.addAll(others.subList(0, Math.max(0, Math.min(room, others.size()))));
    }
    ordered.addAll(ofFiles);
    others.removeIf(ordered::contains);
    return new Order(List.copyOf(ordered), options.identitiesOnly() ? List.of() : others);
  }

  /** Divides what the agent holds; what files name comes in the order of the files. */
  private void sortHeld(List<LoginKey> named, List<LoginKey> others) {
    for (KeyFile file : files) {
      file.publicHalf()
          .ifPresent(
              half ->
                  held.stream()
                      .filter(key -> plain(key).equals(Optional.of(half)))
                      .forEach(named::add));
    }
    held.stream().filter(key -> !named.contains(key)).forEach(others::add);
  }

  private List<LoginKey> certified(LoginReport report) {
    List<LoginKey> certified = new ArrayList<>();
    for (Certificate certificate : certificates) {
      Optional<LoginKey> signer =
          holder(certificate.key())
              .or(
                  () ->
                      files.stream()
                          .filter(file -> file.form() != KeyFile.Form.PUBLIC_HALF)
                          .filter(
                              file ->
                                  file.publicHalf().filter(certificate.key()::equals).isPresent())
                          .<LoginKey>map(file -> new FileKey(file, unlocker))
                          .findFirst());
      if (signer.isPresent()) {
        certified.add(new CertifiedKey(certificate, signer.get(), user));
      } else {
        report.passOver(certificate.source() + ": the key that it certifies is not here");
      }
    }
    return certified;
  }

  /** The agent's plain key that is this one. */
  private Optional<LoginKey> holder(KeyBlob plain) {
    return held.stream()
        .<LoginKey>map(key -> key)
        .filter(key -> blob(key).equals(Optional.of(plain)))
        .findFirst();
  }

  /** How many of the keys of files no agent holds. */
  private int alone(List<LoginKey> ofFiles) {
    return (int)
        ofFiles.stream()
            .filter(key -> ((FileKey) key).known().flatMap(this::holder).isEmpty())
            .count();
  }

  /** The key itself, also where the agent holds a certificate for it. */
  private static Optional<KeyBlob> plain(LoginKey key) {
    return key instanceof CertifiedKey certified
        ? Optional.of(certified.certificate().key())
        : blob(key);
  }

  private static Optional<KeyBlob> blob(LoginKey key) {
    return key instanceof AgentKey agent ? Optional.of(agent.blob()) : Optional.empty();
  }

  /**
   * What the agent holds, with certificates told from keys; broken ones are keys of no known kind.
   */
  static List<LoginKey> held(Stream<AgentKey> keys, String user) {
    return keys.map(
            key -> {
              if (!key.blob().isCertificate()) {
                return (LoginKey) key;
              }
              try {
                return new CertifiedKey(
                    Certificate.parse("the agent's " + key.name(), key.blob()), key, user);
              } catch (IOException unknown) {
                return key;
              }
            })
        .toList();
  }
}
