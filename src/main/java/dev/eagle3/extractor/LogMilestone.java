package dev.eagle3.extractor;

import com.google.re2j.Pattern;

/**
 * A line of the log that marks a step of the program.
 *
 * @param name kebab-case, for example {@code model-loaded}
 * @param pattern found anywhere in a line whose worker prefixes were taken off
 * @param example a real line; loading the extractor checks that the pattern finds it
 */
public record LogMilestone(String name, Pattern pattern, String example) {}
