/** Findings in, the named reasons behind them out. The one place where causes are told. */
@NullMarked
package dev.eagle3.cause;

import org.jspecify.annotations.NullMarked;
