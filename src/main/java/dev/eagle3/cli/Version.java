package dev.eagle3.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version, from the jar that runs. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("(unbuilt)");
    return new String[] {
      "eagle3 " + version,
      "Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name")
    };
  }
}
