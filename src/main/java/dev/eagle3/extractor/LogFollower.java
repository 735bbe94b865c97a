package dev.eagle3.extractor;

import com.google.re2j.Pattern;

/**
 * A line that looks like an error and is none, or comes after one: the end of other workers, of
 * their shared memory, of what Python does at exit. It is never a cause, and no sign that a worker
 * goes on either.
 *
 * @param pattern found anywhere in a line whose worker prefixes were taken off
 * @param example a real line; loading the extractor checks that the pattern finds it
 */
public record LogFollower(Pattern pattern, String example) {}
