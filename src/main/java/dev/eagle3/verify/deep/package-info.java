/** Looks at the values of saved layers: one pass over each file, in file order. */
@NullMarked
package dev.eagle3.verify.deep;

import org.jspecify.annotations.NullMarked;
