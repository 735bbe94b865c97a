/** A launch line as people type it in; the profile that does the same out. Nothing is executed. */
@NullMarked
package dev.eagle3.launchline;

import org.jspecify.annotations.NullMarked;
