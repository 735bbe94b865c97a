/** Tests of the house as a whole: what imports what, and what the pages say. */
@NullMarked
package dev.eagle3;

import org.jspecify.annotations.NullMarked;
