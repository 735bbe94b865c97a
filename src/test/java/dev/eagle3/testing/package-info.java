/** What tests of several packages share: real programs, never stand-ins for our own code. */
@NullMarked
package dev.eagle3.testing;

import org.jspecify.annotations.NullMarked;
