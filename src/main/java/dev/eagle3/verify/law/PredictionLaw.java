package dev.eagle3.verify.law;

import dev.eagle3.verify.law.Prediction.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last layer of a sample predicts the sample's next tokens: through the model's last norm and
 * head, row i must prefer id i + 1 to what any other sample has there, and to the ids before and
 * after it. Every comparison is of two tokens in one row, where they differ, so that no scale of
 * states, layers or models matters; what decides is whether the sign is beyond doubt.
 */
final class PredictionLaw {
  /** Fewer rows prove nothing. */
  private static final int FEWEST_ROWS = 12;

  /** Fewer rows than this do not prove that nothing is predicted. */
  private static final int FEWEST_FOR_NOTHING = 24;

  /** Standard errors: one in a thousand by chance, for each of few comparisons. */
  private static final double CERTAIN = 3;

  /** Standard errors that the best of thousands does not reach by chance. */
  private static final double CERTAIN_OF_MANY = 5;

  /** Natural logarithm: 20,000 times likelier. */
  private static final double LIKELIER = 10;

  private static final int MOST_SHIFT = 3;

  /** Tokens that the crowd of a row has at the most. */
  private static final int MOST_IN_CROWD = 64;

  private final LanguageHead head;
  private final List<LawSample> samples;

  /** Whose tokens may be meant: those of a sample, some rows away. */
  private record Candidate(LawSample sample, int shift) {}

  PredictionLaw(LanguageHead head, List<LawSample> samples) {
    this.head = head;
    this.samples = samples;
  }

  /** Judges states of a sample, as they were read by its grid. For many threads. */
  Prediction judge(LawSample sample, Grid grid, float[] states) {
    return new Case(sample, grid, states).judge();
  }

  /** One sample. */
  private final class Case {
    private final LawSample sample;
    private final Grid grid;
    private final List<float[]> logits = new ArrayList<>();
    private final List<Candidate> rivals = new ArrayList<>();
    private final Candidate own;
    private final double[] means = new double[head.tokens()];

    Case(LawSample sample, Grid grid, float[] states) {
      this.sample = sample;
      this.grid = grid;
      this.own = new Candidate(sample, 0);
      for (int index = 0; index < grid.count(); index++) {
        float[] row = head.logits(states, index * sample.hiddenSize());
        logits.add(row);
        for (int token = 0; token < means.length; token++) {
          means[token] += row[token] / grid.count();
        }
      }
      for (int shift = 1; shift <= MOST_SHIFT; shift++) {
        rivals.add(new Candidate(sample, shift));
        rivals.add(new Candidate(sample, -shift));
      }
      samples.stream()
          .filter(other -> other != sample)
          .forEach(other -> rivals.add(new Candidate(other, 0)));
    }

    Prediction judge() {
      int rows = rowsOf(own);
      if (rows < FEWEST_ROWS) {
        return answer(Kind.TOO_FEW, rows, own);
      }
      Candidate best = best();
      if (best != null && against(best, true).certainty() >= CERTAIN_OF_MANY) {
        return answer(best.sample() == sample ? Kind.SHIFTED : Kind.OTHER, rows, best);
      }
      boolean isCertain = against(own, true).certainty() >= CERTAIN;
      if (best == null && isCertain) {
        return answer(Kind.OWN, rows, own);
      }
      boolean isNothing =
          rows >= FEWEST_FOR_NOTHING && !isCertain && against(own, false).certainty() < CERTAIN;
      return answer(isNothing ? Kind.NOTHING : Kind.UNCLEAR, rows, own);
    }

    /** The rival that beats the own tokens and all other rivals; null when none beats them. */
    private @Nullable Candidate best() {
      Candidate best = null;
      for (Candidate rival : rivals) {
        Odds odds = odds(rival, own, false);
        if (odds.count() >= FEWEST_ROWS
            && odds.certainty() >= CERTAIN
            && odds.sum() >= LIKELIER
            && odds(rival, own, true).certainty() >= CERTAIN
            && (best == null || odds(rival, best, true).sum() > 0)) {
          best = rival;
        }
      }
      return best;
    }

    private Odds odds(Candidate one, Candidate two, boolean centred) {
      Odds odds = new Odds();
      for (int index = 0; index < logits.size(); index++) {
        int first = place(one, index);
        int second = place(two, index);
        if (first >= 0 && second >= 0 && first != second) {
          odds.add(finite(logit(index, first, centred) - logit(index, second, centred)));
        }
      }
      return odds;
    }

    /** Against what all others have in the same rows, which is as frequent a kind of token. */
    private Odds against(Candidate one, boolean centred) {
      Odds odds = new Odds();
      for (int index = 0; index < logits.size(); index++) {
        int mine = place(one, index);
        double sum = 0;
        int count = 0;
        for (Candidate rival : rivals) {
          int other = place(rival, index);
          if (other >= 0 && other != mine && count < MOST_IN_CROWD) {
            sum += logit(index, other, centred);
            count++;
          }
        }
        if (mine >= 0 && count > 0) {
          odds.add(finite(logit(index, mine, centred) - sum / count));
        }
      }
      return odds;
    }

    /**
     * The logit of a token in a row; centred, without what all rows give it, so that a sample of
     * frequent tokens has no advantage in states that tell little else.
     */
    private double logit(int index, int token, boolean centred) {
      return logits.get(index)[token] - (centred ? means[token] : 0);
    }

    /** States without numbers speak for nobody. */
    private static double finite(double difference) {
      return Double.isFinite(difference) ? difference : 0;
    }

    /** The place among the logits of the token that a candidate has after a row; -1 for none. */
    private int place(Candidate candidate, int index) {
      int next = grid.row(index) + 1 + candidate.shift();
      return next < 0 || next >= candidate.sample().tokens()
          ? -1
          : head.placeOf(candidate.sample().id(next));
    }

    private int rowsOf(Candidate candidate) {
      int rows = 0;
      for (int index = 0; index < logits.size(); index++) {
        rows += place(candidate, index) >= 0 ? 1 : 0;
      }
      return rows;
    }

    private double score(Candidate candidate) {
      double sum = 0;
      int rows = 0;
      for (int index = 0; index < logits.size(); index++) {
        int mine = place(candidate, index);
        if (mine >= 0) {
          float[] row = logits.get(index);
          int below = 0;
          for (float other : row) {
            below += other < row[mine] ? 1 : 0;
          }
          sum += (double) below / Math.max(1, row.length - 1);
          rows++;
        }
      }
      return rows == 0 ? Double.NaN : sum / rows;
    }

    private Prediction answer(Kind kind, int rows, Candidate meant) {
      boolean isNamed = kind == Kind.OWN || kind == Kind.OTHER || kind == Kind.SHIFTED;
      return new Prediction(
          sample,
          kind,
          rows,
          score(own),
          isNamed ? meant.sample() : null,
          meant.shift(),
          score(meant),
          meant.equals(own) ? 0 : odds(meant, own, false).sum());
    }
  }
}
