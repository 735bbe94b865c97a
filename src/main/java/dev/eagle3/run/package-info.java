/**
 * Launch of a run, its lock, its state, and its end.
 *
 * <p>A run on a host is a folder {@code STATE/runs/ID} and processes. {@code lock-output.sh} comes
 * first, then what is done to GPUs and previous output, then {@code launch.sh}, which starts {@code
 * job.sh}; {@code run-state.sh} says afterwards what is known, and {@link dev.eagle3.run.RunState}
 * what that means; {@code stop-run.sh} ends it. {@code run-processes.sh} is the part that the last
 * two have in common: which processes belong to a run; {@code run-end.sh}, before it, knows until
 * when a run went on.
 */
@NullMarked
package dev.eagle3.run;

import org.jspecify.annotations.NullMarked;
