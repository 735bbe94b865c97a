/** Who holds the GPUs of a host, and ending them. */
@NullMarked
package dev.eagle3.gpu;

import org.jspecify.annotations.NullMarked;
