/**
 * Ranged bytes in, names, shapes, dtypes, strides and storages of a tensor file out. Nothing from a
 * file is ever executed or constructed.
 */
@NullMarked
package dev.eagle3.tensor;

import org.jspecify.annotations.NullMarked;
