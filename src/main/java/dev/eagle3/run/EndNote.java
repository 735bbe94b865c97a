package dev.eagle3.run;

import dev.eagle3.outcome.Finding;
import java.util.Optional;

/**
 * Why eagle3 ended a run, as it was noted on its host before that was done.
 *
 * @param by who did it: guard or client
 * @param since the reason, as a clause that follows "since"
 * @param finding what was wrong; empty when nobody says
 */
public record EndNote(String by, String since, Optional<Finding> finding) {}
