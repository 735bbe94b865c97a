/** Profile × extractor, resolved: pure data, without clock, files or environment. */
@NullMarked
package dev.eagle3.plan;

import org.jspecify.annotations.NullMarked;
