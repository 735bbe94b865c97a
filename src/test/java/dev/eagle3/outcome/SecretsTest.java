package dev.eagle3.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HF_TOKEN", "hf_token", "OPENAI_API_KEY", "MY_SECRET_THING", "PGPASSWORD", "passphrase",
        "--api-key", "--hub-token", "TOKENIZER_KEY", "API_TOKENS", "MAXTOKENS", "TOKEN_MAX_TOKENS"
      })
  void namesLikeSecretsAreSecrets(String name) {
    assertThat(Secrets.isSecret(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "--layer-ids",
        "TOKENIZERS_PARALLELISM",
        "--tokenizer",
        "--tokenizer-mode",
        "--max-num-batched-tokens",
        "--max-tokens",
        "--minimum-valid",
        "VLLM_MAX_TOKENS"
      })
  void otherNamesAreNot(String name) {
    assertThat(Secrets.isSecret(name)).isFalse();
  }

  @Test
  void allWordsOfASecretFlagAreRedacted() {
    assertThat(Secrets.arguments(List.of("--api-key", "a", "b", "-1", "--layer-ids", "2", "30")))
        .containsExactly(
            "--api-key", "<redacted>", "<redacted>", "<redacted>", "--layer-ids", "2", "30");
  }

  @Test
  void aSecretMayStartWithADash() {
    assertThat(Secrets.arguments(List.of("--password", "-hunter2", "-v")))
        .containsExactly("--password", "<redacted>", "-v");
  }

  @Test
  void aSecretFlagWithoutAValueHidesNoOtherFlag() {
    assertThat(Secrets.arguments(List.of("--use-token-cache", "--layer-ids", "2")))
        .containsExactly("--use-token-cache", "--layer-ids", "2");
  }

  @Test
  void valuesBehindAnEqualsSignAreRedacted() {
    assertThat(Secrets.arguments(List.of("--api-key=a=b\nc", "HF_TOKEN=x", "--seed=1", "=KEY=")))
        .containsExactly("--api-key=<redacted>", "HF_TOKEN=<redacted>", "--seed=1", "=KEY=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "export HF_TOKEN=abc|export HF_TOKEN=<redacted>",
        "export HF_TOKEN='a b'\"c d\"e\\ f; ls|export HF_TOKEN=<redacted>; ls",
        "A_KEY=\"x\\\"y z\" B=2|A_KEY=<redacted> B=2",
        "hf auth login --token abc && ls|hf auth login --token <redacted> && ls",
        "hf auth login --token|hf auth login --token",
        "login --token;ls abc|login --token;ls abc",
        "export HF_TOKEN='never closed|export HF_TOKEN=<redacted>",
        "module load cuda/12.8|module load cuda/12.8",
        "source '/a b/activate'|source '/a b/activate'",
        "env 'HF_TOKEN=a b' \"A_KEY=c d\" x|env 'HF_TOKEN=<redacted>' \"A_KEY=<redacted>\" x",
        "bash -c 'cd /x && HF_TOKEN=a y'|bash -c 'cd /x && HF_TOKEN=<redacted> y'",
        "bash -c \"A_KEY='b c' y; B=c\"|bash -c \"A_KEY=<redacted>\"",
        "bash -c \"x; A_KEY='b c' y; B=c\"|bash -c \"x; A_KEY=<redacted> y; B=c\"",
        "x --env=HF_TOKEN=a --set=B=c|x --env=HF_TOKEN=<redacted> --set=B=c",
      })
  void shellTextKeepsAllButItsSecrets(String text, String shown) {
    assertThat(Secrets.shellText(text)).isEqualTo(shown);
  }

  @Test
  void hugeShellTextIsReadInLinearTime() {
    String text = "A_KEY=" + "'\\\"".repeat(300_000);

    assertThat(Secrets.shellText(text)).startsWith("A_KEY=<redacted>");
    assertThat(Secrets.shellText("'a b=" + "A_KEY=\"'".repeat(100_000))).isNotEmpty();
    assertThat(Secrets.arguments(List.of("A=".repeat(2_000) + "A_KEY=x")).get(0))
        .endsWith("<redacted>");
    assertThat(Secrets.isSecret("MAX-" + "A-".repeat(300_000) + "TOKENS")).isTrue();
  }

  @Test
  void variablesKeepTheirOrder() {
    assertThat(Secrets.environment(Map.of("A", "1"))).containsEntry("A", "1");
  }
}
