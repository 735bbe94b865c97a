/** YAML that people write (profiles, extractors) as a tree that knows its lines. */
@NullMarked
package dev.eagle3.yaml;

import org.jspecify.annotations.NullMarked;
