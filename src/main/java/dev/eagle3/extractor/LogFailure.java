package dev.eagle3.extractor;

import com.google.re2j.Pattern;

/**
 * A line of the log that names why a run failed.
 *
 * @param code {@code area.kebab-case}
 * @param pattern found anywhere in a line whose worker prefixes were taken off
 * @param example a real line; loading the extractor checks that the pattern finds it
 * @param says one sentence for the user; {@code $1} stands for a group of the pattern
 * @param tryNext what to try
 */
public record LogFailure(
    String code, Pattern pattern, String example, String says, String tryNext) {}
