/** This machine as a host, without SSH. */
@NullMarked
package dev.eagle3.host.local;

import org.jspecify.annotations.NullMarked;
