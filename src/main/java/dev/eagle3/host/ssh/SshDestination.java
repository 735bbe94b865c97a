package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a target leads, with everything that ssh_config adds to it.
 *
 * @param target what the user wrote
 * @param user the account there
 * @param address name or address to connect to
 * @param port the port to connect to
 * @param hostKeyName under which name known_hosts is searched: {@code host}, {@code [host]:port}
 * @param identityFiles private keys, in the order to try
 * @param identityFilesChosen whether the user named these; else they are ssh's usual ones, of which
 *     most do not exist
 * @param knownHosts the user's known_hosts files; new keys go into the first
 * @param systemKnownHosts those of the machine, only read
 * @param acceptNewHostKey whether ssh_config says to take keys of unknown hosts
 * @param options everything else that ssh_config says
 */
record SshDestination(
    SshTarget target,
    String user,
    String address,
    int port,
    String hostKeyName,
    List<Path> identityFiles,
    boolean identityFilesChosen,
    List<Path> knownHosts,
    List<Path> systemKnownHosts,
    boolean acceptNewHostKey,
    SshOptions options) {

  /** For messages: {@code gpu7:22}. */
  String shown() {
    return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
  }

  /** The words that tell {@code ssh} the same. */
  String sshWords() {
    boolean plainPort = target.port().isEmpty();
    String host = target.user().map(name -> name + "@").orElse("") + target.host();
    return (plainPort ? "" : "-p " + target.port().getAsInt() + " ") + host;
  }
}
