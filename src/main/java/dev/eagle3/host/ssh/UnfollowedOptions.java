package dev.eagle3.host.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What ssh_config says of the way to a host and is not followed here: one sentence each, so that
 * nobody wonders why {@code ssh} does something else.
 */
final class UnfollowedOptions {
  private static final Map<String, String> WORDS =
      Map.of(
          "bindinterface", "BindInterface",
          "knownhostscommand", "KnownHostsCommand");

  private static final Map<String, String> SWITCHES =
      Map.of(
          "verifyhostkeydns", "VerifyHostKeyDNS",
          "nohostauthenticationforlocalhost", "NoHostAuthenticationForLocalhost");

  private final SshOptions options;
  private final String host;

  UnfollowedOptions(SshOptions options, String host) {
    this.options = options;
    this.host = host;
  }

  /** A sentence for each. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    WORDS.forEach(
        (keyword, name) -> options.firstSet(keyword).ifPresent(value -> notes.add(note(name))));
    SWITCHES.forEach(
        (keyword, name) -> {
          Optional<String> value = options.first(keyword);
          if (value.isPresent() && List.of("yes", "true").contains(value.get())) {
            notes.add(note(name));
          }
        });
    return notes;
  }

  private String note(String name) {
    return host + ": " + name + " of ssh_config is not followed";
  }
}
