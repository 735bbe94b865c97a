package dev.eagle3.report;

import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** JSON of foreign text that can be shown on a terminal. */
public final class SafeJson {
  private SafeJson() {}

  /**
   * Makes generators that escape what a terminal would act on, and leave the stream open that they
   * write to.
   */
  public static JsonFactory factory() {
    return JsonFactory.builder()
        .characterEscapes(new UnprintableEscapes())
        .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
        .build();
  }

  /** The text without halves of surrogate pairs, which JSON in UTF-8 cannot carry. */
  public static String wellFormed(String text) {
    StringBuilder whole = null;
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      if (Character.isHighSurrogate(character)
          && index + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(index + 1))) {
        index++;
      } else if (Character.isSurrogate(character)) {
        whole = whole == null ? new StringBuilder(text) : whole;
        whole.setCharAt(index, '\ufffd');
      }
    }
    return whole == null ? text : whole.toString();
  }
}
