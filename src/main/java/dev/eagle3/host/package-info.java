/** Commands with an outcome, streams, scripts and the files of a machine. */
@NullMarked
package dev.eagle3.host;

import org.jspecify.annotations.NullMarked;
