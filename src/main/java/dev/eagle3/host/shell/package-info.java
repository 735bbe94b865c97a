/** Files over a POSIX shell with coreutils, for hosts that offer nothing else. */
@NullMarked
package dev.eagle3.host.shell;

import org.jspecify.annotations.NullMarked;
