/** Files of a host brought home: never half, resumable. */
@NullMarked
package dev.eagle3.transfer;

import org.jspecify.annotations.NullMarked;
