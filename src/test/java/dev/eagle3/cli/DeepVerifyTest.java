package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeepVerifyTest {
  @TempDir Path folder;

  @Test
  void valuesAreReadAndJudgedOnlyWhenThatIsAsked() throws IOException {
    save("data_0.pt", true);
    save("data_1.pt", false);

    assertThat(verify().code()).isEqualTo(Exit.DONE.code());

    CommandLineRun deep = verify("--deep");
    assertThat(deep.code()).isEqualTo(Exit.WRONG.code());
    assertThat(deep.out()).contains("hidden_states[0] has NaN: 1 value, row 2, channel 3");
    assertThat(deep.out() + deep.err())
        .contains("of 2 files")
        .contains("[values.nan]")
        .contains("[values.range]");
  }

  @Test
  void aShareIsSaidWithItsSeedAndIsTheSameEachTime() throws IOException {
    for (int number = 0; number < 10; number++) {
      save("data_" + number + ".pt", number == 4);
    }

    CommandLineRun tenth = verify("--deep=10%");
    assertThat(tenth.out() + tenth.err()).contains("of 1 of 10 files, chosen by chance (seed 1)");
    assertThat(tenth.out()).isEqualTo(verify("--deep", "0.1").out());
    assertThat(verify("--deep=100%").code()).isEqualTo(Exit.WRONG.code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--deep=0", "--deep=150%", "--deep=2", "--deep=x", "--deep=", "--deep=10%%"})
  void whatIsNoShareIsRefused(String word) {
    CommandLineRun run = verify(word);

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.err()).contains("is no share of the files").contains("try: --deep=0.1");
  }

  @Test
  void moreThanTenGigabytesOfAHostAreReadOnlyWhenAskedFor() throws IOException {
    Path large = folder.resolve("data_0.pt");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(12_000_000_000L);
    }

    CommandLineRun refused = verify("--deep", "--host", "local");
    assertThat(refused.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(refused.err())
        .contains("--deep would read 11.2 GiB of 1 file, about ")
        .contains("more than 10 GB is read only with a share or --yes")
        .contains("try: --deep=0.01");
    // The file is no tensor file, which only those who read it find out.
    assertThat(verify("--deep", "--yes", "--host", "local").code()).isEqualTo(Exit.WRONG.code());
    assertThat(verify("--deep=50%", "--host", "local").code()).isEqualTo(Exit.WRONG.code());
    assertThat(verify("--deep").code()).isEqualTo(Exit.WRONG.code());
  }

  private CommandLineRun verify(String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "verify-shapes";
    System.arraycopy(words, 0, all, 1, words.length);
    all[all.length - 1] = folder.toString();
    return CommandLineRun.of(all);
  }

  private void save(String name, boolean withNan) throws IOException {
    int tokens = 4;
    int channels = 16;
    Random random = new Random(name.hashCode());
    ByteBuffer values = ByteBuffer.allocate(tokens * channels * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int index = 0; index < tokens * channels; index++) {
      boolean nan = withNan && index == 2 * channels + 3;
      values.putFloat(nan ? Float.NaN : (float) random.nextGaussian());
    }
    new TorchFileWriter("archive")
        .longs("input_ids", 1, 2, 3, 4)
        .layers("hidden_states", List.of(values.array()), "float32", tokens, channels)
        .longs("loss_mask", 1, 1, 1, 1)
        .write(folder.resolve(name));
  }
}
