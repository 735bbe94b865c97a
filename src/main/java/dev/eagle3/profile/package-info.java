/** YAML, flags and environment in; a profile, or all its problems at once, out. */
@NullMarked
package dev.eagle3.profile;

import org.jspecify.annotations.NullMarked;
