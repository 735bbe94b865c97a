/** The command line: options, console, exit. Alone calls System.exit and owns the streams. */
@NullMarked
package dev.eagle3.cli;

import org.jspecify.annotations.NullMarked;
