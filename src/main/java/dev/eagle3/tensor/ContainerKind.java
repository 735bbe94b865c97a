package dev.eagle3.tensor;

/** What a file is, told by its bytes, never by its name. */
public enum ContainerKind {
  /** A ZIP as {@code torch.save} writes it since 1.6. */
  TORCH_ZIP("torch zip"),
  /** Such a ZIP within gzip: {@code .ckpt.gz} of SpecForge. */
  TORCH_ZIP_IN_GZIP("torch zip in gzip"),
  /** The older {@code torch.save}: five pickles, then raw storages. */
  TORCH_LEGACY("torch legacy"),
  /** safetensors. */
  SAFETENSORS("safetensors"),
  /** Something else, or nothing that can be read; a finding says what. */
  FOREIGN("foreign");

  private final String word;

  ContainerKind(String word) {
    this.word = word;
  }

  /** The word in text and JSON. */
  public String word() {
    return word;
  }
}
