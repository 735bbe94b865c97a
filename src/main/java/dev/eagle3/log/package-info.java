/** Bytes of a log in; lines, milestones and progress out. Knows no host. */
@NullMarked
package dev.eagle3.log;

import org.jspecify.annotations.NullMarked;
