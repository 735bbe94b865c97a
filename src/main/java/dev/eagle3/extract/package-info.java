/** The sentence of the project: connect, clear, set aside, launch, watch, verify, pull. */
@NullMarked
package dev.eagle3.extract;

import org.jspecify.annotations.NullMarked;
