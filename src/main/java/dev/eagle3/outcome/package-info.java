/**
 * What everything else speaks in: failure kinds with their exit codes, findings, causes, events.
 */
@NullMarked
package dev.eagle3.outcome;

import org.jspecify.annotations.NullMarked;
