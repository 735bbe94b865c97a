/**
 * Text as people type it into a POSIX shell in; words, commands and redirections out. Nothing is
 * ever executed or expanded.
 */
@NullMarked
package dev.eagle3.shell;

import org.jspecify.annotations.NullMarked;
