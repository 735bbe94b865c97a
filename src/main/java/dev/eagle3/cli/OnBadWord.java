package dev.eagle3.cli;

import dev.eagle3.watch.OnBad;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What becomes of a run with bad samples, on a command line: {@code auto}, {@code stop}, {@code
 * warn}.
 */
final class OnBadWord implements ITypeConverter<OnBad> {
  @Override
  public OnBad convert(String word) {
    return OnBad.of(word)
        .orElseThrow(() -> new TypeConversionException("must be auto, stop or warn, not " + word));
  }
}
