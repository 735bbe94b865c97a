/** One launch of a plan: launching, its folder on the host, its state. */
@NullMarked
package dev.eagle3.run;

import org.jspecify.annotations.NullMarked;
