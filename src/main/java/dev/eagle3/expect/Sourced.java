package dev.eagle3.expect;

/**
 * A value with the place that it came from.
 *
 * @param value the value
 * @param source where it stands, as evidence says it: {@code --hidden-size}, {@code
 *     /shared/kimi-k2.5-int4/config.json (text_config)}
 */
public record Sourced<T>(T value, String source) {}
