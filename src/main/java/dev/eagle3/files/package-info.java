/** Files of one machine: list, stat, ranged reads, atomic writes; the local implementation. */
@NullMarked
package dev.eagle3.files;

import org.jspecify.annotations.NullMarked;
