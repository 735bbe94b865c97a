package dev.eagle3.gpu;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Printable;
import java.util.Optional;
import java.util.Set;

/**
 * What may start a holder again when it ends. Texts come from the host.
 *
 * @param kind unit, user-unit, docker, podman, pod, container, slurm or parent
 * @param name of the unit, container, pod or job; of a parent its process id and name
 * @param policy what it says of restarting, in its own words; empty when it could not be asked
 */
public record HolderWatcher(String kind, String name, Optional<String> policy) {
  private static final Set<String> NEVER = Set.of("no", "never", "");
  private static final int SHOWN = 80;

  /** Whether it says that it starts its process again. Kubernetes always does. */
  public boolean restarts() {
    return kind.equals("pod") || policy.filter(word -> !NEVER.contains(word)).isPresent();
  }

  /** Whether it could, and nobody knows. A parent is a suspect only once something came back. */
  boolean mayRestart() {
    return restarts() || (policy.isEmpty() && !kind.equals("parent") && !kind.equals("slurm"));
  }

  /** The command that stops it on the host, or a short sentence. Printable. */
  public String stop() {
    String word = Printable.line(ShellQuote.word(name), SHOWN);
    return switch (kind) {
      case "unit" -> "systemctl stop " + word;
      case "user-unit" -> "systemctl --user stop " + word;
      case "docker", "podman" -> kind + " stop " + word;
      case "pod" ->
          "kubectl delete pod " + word + ", or kubectl scale --replicas=0 of what owns it";
      case "slurm" -> "scancel " + word;
      case "parent" -> "stop its parent first, process " + Printable.line(name, SHOWN);
      default -> "crictl stop " + word;
    };
  }

  /** It in a few words: {@code vllm.service (Restart=always)}. Printable. */
  String says() {
    String policyWord = policy.map(word -> "=" + Printable.line(word, 20)).orElse(" unknown");
    return switch (kind) {
      case "unit", "user-unit" -> Printable.line(name, SHOWN) + " (Restart" + policyWord + ")";
      case "parent" -> "parent process " + Printable.line(name, SHOWN);
      case "slurm" -> "Slurm job " + Printable.line(name, SHOWN);
      case "pod" -> "pod " + Printable.line(name, SHOWN);
      default -> "container " + Printable.line(name, SHOWN) + " (restart policy" + policyWord + ")";
    };
  }
}
