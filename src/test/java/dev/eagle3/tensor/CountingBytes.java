package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A file in memory that counts what is asked of it. */
public final class CountingBytes implements RangedBytes {
  private final String name;
  private final byte[] content;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong bytesRead = new AtomicLong();

  /** A file of this content. */
  public CountingBytes(String name, byte[] content) {
    this.name = name;
    this.content = content;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    return content.length;
  }

  @Override
  public List<byte[]> read(List<ByteRange> ranges) {
    calls.incrementAndGet();
    List<byte[]> answers = new ArrayList<>();
    for (ByteRange range : ranges) {
      int from = (int) Math.min(range.offset(), content.length);
      int to = (int) Math.min(range.offset() + range.length(), content.length);
      bytesRead.addAndGet(to - from);
      answers.add(Arrays.copyOfRange(content, from, to));
    }
    return answers;
  }

  /** How many times {@link #read} was called: round trips over a network. */
  public int calls() {
    return calls.get();
  }

  /** How many bytes were given out. */
  public long bytesRead() {
    return bytesRead.get();
  }
}
