package dev.eagle3.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How far to wait, on a command line: {@code loaded}, {@code first-sample}, {@code done}. */
final class UntilWord implements ITypeConverter<Until> {
  @Override
  public Until convert(String word) {
    return Until.of(word)
        .orElseThrow(
            () -> new TypeConversionException("must be loaded, first-sample or done, not " + word));
  }
}
