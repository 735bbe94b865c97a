/** One live run: its log and its state as events, until it ends. */
@NullMarked
package dev.eagle3.watch;

import org.jspecify.annotations.NullMarked;
