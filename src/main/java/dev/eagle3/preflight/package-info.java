/** What can be known of a host before anything on it is touched. */
@NullMarked
package dev.eagle3.preflight;

import org.jspecify.annotations.NullMarked;
