/** Events in, text or JSON Lines out. */
@NullMarked
package dev.eagle3.report;

import org.jspecify.annotations.NullMarked;
