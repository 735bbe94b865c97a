package dev.eagle3.verify.law;

import dev.eagle3.files.FileTree;
import dev.eagle3.verify.deep.ScatteredRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last norm of a model and the rows of its head for the tokens in play. A logit is as the model
 * computes it; the difference of two logits of one row is the difference of the log-probabilities
 * of their tokens, whatever tokens are left out. For many threads.
 */
final class LanguageHead {
  /** How many rows one call reads. */
  private static final int ROWS_A_CALL = 256;

  private final HeadPlace place;
  private final Map<Integer, Integer> places = new HashMap<>();

  /** Column t has the weights of the t-th token: {@code [H][tokens]}. */
  private final float[][] weights;

  private LanguageHead(HeadPlace place, List<Integer> tokens) {
    this.place = place;
    this.weights = new float[place.hiddenSize()][tokens.size()];
    tokens.forEach(token -> places.put(token, places.size()));
  }

  /** Reads the rows of these tokens, each of which the vocabulary has, once. */
  static LanguageHead read(FileTree files, HeadPlace place, List<Integer> tokens)
      throws IOException {
    LanguageHead head = new LanguageHead(place, tokens);
    ScatteredRows rows = new ScatteredRows(files);
    for (int from = 0; from < tokens.size(); from += ROWS_A_CALL) {
      List<Integer> some = tokens.subList(from, Math.min(tokens.size(), from + ROWS_A_CALL));
      List<Long> wanted = new ArrayList<>();
      some.forEach(token -> wanted.add(token.longValue()));
      float[] numbers = rows.read(place.path(), place.head(), wanted);
      for (int index = 0; index < some.size(); index++) {
        for (int column = 0; column < place.hiddenSize(); column++) {
          head.weights[column][from + index] = numbers[index * place.hiddenSize() + column];
        }
      }
    }
    return head;
  }

  /** How many tokens are in play. */
  int tokens() {
    return places.size();
  }

  /** The place of a token among the logits; -1 when it is not in play. */
  int placeOf(int token) {
    return places.getOrDefault(token, -1);
  }

  /** Logits of the tokens in play for a row of states, which begins at {@code from}. */
  float[] logits(float[] states, int from) {
    int hiddenSize = place.hiddenSize();
    double squares = 0;
    for (int column = 0; column < hiddenSize; column++) {
      squares += (double) states[from + column] * states[from + column];
    }
    double scale = 1 / Math.sqrt(squares / hiddenSize + place.epsilon());
    float[] logits = new float[places.size()];
    for (int column = 0; column < hiddenSize; column++) {
      float value = (float) (states[from + column] * scale * place.norm()[column]);
      float[] row = weights[column];
      for (int token = 0; token < logits.length; token++) {
        logits[token] += value * row[token];
      }
    }
    return logits;
  }
}
