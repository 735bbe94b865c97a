package dev.eagle3.host.ssh;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What happened in one login: what was tried, what was passed over, what the server would take. */
final class LoginReport {
  private final Set<String> refused = new LinkedHashSet<>();
  private final List<String> passedOver = new ArrayList<>();
  private final Set<String> taken = new LinkedHashSet<>();
  private final Set<String> methods = new TreeSet<>();
  private @Nullable String tryNext;
  private @Nullable String refusedFile;
  private @Nullable String banner;
  private int unoffered;

  /** The server did not take this. */
  synchronized void refuse(String shown) {
    refused.add(shown);
  }

  /** The server did not take the key of this file. */
  synchronized void refuseFile(String file) {
    refusedFile = refusedFile == null ? file : refusedFile;
  }

  /** Something was not tried, with the reason: a clause for the user. */
  synchronized void passOver(String clause) {
    if (!passedOver.contains(clause)) {
      passedOver.add(clause);
    }
  }

  /** A key could not be used. */
  synchronized void passOver(LoginKeyException why) {
    passOver(why.clause());
    tryNext = tryNext == null ? why.tryNext().orElse(null) : tryNext;
  }

  /** The server took this, and wants more. */
  synchronized void take(String shown) {
    taken.add(shown);
  }

  /** The server named the ways to log in that it takes now. */
  synchronized void takesMethods(List<String> names) {
    methods.clear();
    methods.addAll(names);
  }

  /** Keys were kept back, to leave tries for others. */
  synchronized void leaveOut(int keys) {
    unoffered = keys;
  }

  /** What the server says to everybody who logs in; its own words, so not yet fit to print. */
  synchronized void greet(String words) {
    banner = words;
  }

  synchronized Optional<String> banner() {
    return Optional.ofNullable(banner).filter(words -> !words.isBlank());
  }

  synchronized List<String> refused() {
    return List.copyOf(refused);
  }

  /** The first file whose key was refused. */
  synchronized Optional<String> refusedFile() {
    return Optional.ofNullable(refusedFile);
  }

  synchronized List<String> passedOver() {
    return List.copyOf(passedOver);
  }

  synchronized List<String> taken() {
    return List.copyOf(taken);
  }

  synchronized List<String> methods() {
    return List.copyOf(methods);
  }

  /** What makes the first key usable that was passed over. */
  synchronized Optional<String> tryNext() {
    return Optional.ofNullable(tryNext);
  }

  synchronized int unoffered() {
    return unoffered;
  }
}
