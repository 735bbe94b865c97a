/** One extraction program, described in YAML: what it takes, writes and prints. */
@NullMarked
package dev.eagle3.extractor;

import org.jspecify.annotations.NullMarked;
