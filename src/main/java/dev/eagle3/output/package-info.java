/** Previous output of a run: set aside, put back. */
@NullMarked
package dev.eagle3.output;

import org.jspecify.annotations.NullMarked;
