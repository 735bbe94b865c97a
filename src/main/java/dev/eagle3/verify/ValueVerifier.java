package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.util.List;

/** Looks at the values of samples whose headers were verified. */
public interface ValueVerifier {
  /** Looks at no values. */
  ValueVerifier NONE =
      new ValueVerifier() {
        @Override
        public List<Finding> verify(FileStat file, TensorFile header, Expectation expected) {
          return List.of();
        }

        @Override
        public List<Finding> verifyTogether() {
          return List.of();
        }
      };

  /**
   * What is wrong with the values of one sample. Called from many threads at once, once for each
   * file of a known schema that is whole.
   *
   * @throws IOException when its bytes cannot be had
   */
  List<Finding> verify(FileStat file, TensorFile header, Expectation expected) throws IOException;

  /**
   * What is wrong with the samples as a set; called once, after all files.
   *
   * @throws IOException when the connection is gone
   */
  List<Finding> verifyTogether() throws IOException;

  /**
   * What to say of samples that lie in no tensor file, and are not looked at for that.
   *
   * @param folder that holds them
   */
  default List<Finding> leftOut(String folder) {
    return List.of();
  }
}
