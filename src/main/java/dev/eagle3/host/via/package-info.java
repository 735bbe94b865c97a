/** Hosts behind any command that gives a shell on its standard input. */
@NullMarked
package dev.eagle3.host.via;

import org.jspecify.annotations.NullMarked;
