package dev.eagle3.extractor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One extraction program: what it takes, writes and prints.
 *
 * @param name as users name it
 * @param versions ranges ({@code >=0.3, <0.5}) of the Python packages that it works with
 * @param flags the script's flag for each profile key, in the order of its command line
 * @param outputs what it saves
 * @param layerNumbering what its layer ids mean
 * @param processes how the titles of its worker processes start
 * @param log what the lines of its log mean
 * @param probeTargets what a probe wraps, {@code module:Class.method}
 */
public record Extractor(
    String name,
    Map<String, String> versions,
    Map<String, String> flags,
    Outputs outputs,
    LayerNumbering layerNumbering,
    List<String> processes,
    LogRules log,
    List<String> probeTargets) {

  /** Profile keys that a script can have a flag for. */
  public static final List<String> FLAG_KEYS =
      List.of(
          "model-path",
          "prepared-data",
          "output-dir",
          "batch-size",
          "max-seq-len",
          "tp-size",
          "gpu-memory-utilization",
          "layers");

  /** Copies the lists and maps, whose order stays. */
  public Extractor {
    versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
    flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
    processes = List.copyOf(processes);
    probeTargets = List.copyOf(probeTargets);
  }
}
