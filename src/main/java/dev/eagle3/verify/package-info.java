/** Expectations × files in, findings out. */
@NullMarked
package dev.eagle3.verify;

import org.jspecify.annotations.NullMarked;
