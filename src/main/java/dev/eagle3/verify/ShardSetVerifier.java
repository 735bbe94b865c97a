package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ShardManifest;
import dev.eagle3.expect.ShardManifestReader;
import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a target cache of DeepSpec: {@code manifest.json}, {@code samples.idx} with a record of
 * 56 bytes a sample (number, shard, tokens, and where ids, two masks, layers and last layer begin),
 * and shards, which are raw values without a header. Of each shard the ids and masks of some
 * samples are read.
 */
final class ShardSetVerifier {
  /** The name under which verdicts speak of it. */
  static final String SCHEMA = "deepspec";

  private static final String INDEX = "samples.idx";
  private static final int RECORD_BYTES = 56;
  private static final int CHUNK_BYTES = RECORD_BYTES * 16_384;

  /** Of a longer index only the size is looked at: a million samples. */
  private static final long MOST_INDEX_BYTES = 64L << 20;

  private final FileTree files;

  ShardSetVerifier(FileTree files) {
    this.files = files;
  }

  /** What the index says of one shard. */
  private static final class Shard {
    private long samples;
    private long tokens;
    private @Nullable String beyond;
    private long samplesBeyond;
    private final ShardTokens picked = new ShardTokens();
  }

  /**
   * The verdicts on the index and the shards, by path; empty when the folder is no such cache.
   *
   * @throws IOException when the connection is gone
   */
  Map<String, FileVerdict> verify(String folder, List<FileStat> entries, Expectation expected)
      throws IOException {
    if (entries.stream().noneMatch(entry -> entry.path().endsWith("/" + INDEX))) {
      return Map.of();
    }
    Map<String, FileStat> byName = new HashMap<>();
    entries.forEach(entry -> byName.put(entry.name(), entry));
    @Nullable FileStat index = byName.get(INDEX);
    if (index == null || !byName.containsKey("manifest.json")) {
      return Map.of();
    }
    Optional<ShardManifest> found = new ShardManifestReader(files).read(folder);
    if (found.isEmpty()) {
      return Map.of();
    }
    ShardManifest manifest = found.get();
    List<Shard> shards = new ArrayList<>();
    manifest.shards().forEach(name -> shards.add(new Shard()));
    List<Finding> indexFindings = new ArrayList<>();
    if (index.bytes() != manifest.samples() * RECORD_BYTES) {
      indexFindings.add(
          error(
              "set.index-size",
              index.path(),
              manifest.samples() * RECORD_BYTES + " bytes for " + manifest.samples() + " samples",
              index.bytes() + " bytes"));
    } else if (index.bytes() <= MOST_INDEX_BYTES) {
      readIndex(index, manifest, byName, shards, indexFindings);
    }
    Map<String, FileVerdict> verdicts = new HashMap<>();
    if (!indexFindings.isEmpty()) {
      verdicts.put(
          index.path(),
          FileVerdict.of(
              index.path(),
              index.bytes(),
              Optional.empty(),
              indexFindings.get(0).actual(),
              indexFindings));
    }
    for (int number = 0; number < shards.size(); number++) {
      String path = folder + "/" + manifest.shards().get(number);
      @Nullable FileStat file = byName.get(manifest.shards().get(number));
      verdicts.put(
          path,
          file == null
              ? FileVerdict.unread(
                  path, -1, error("file.missing", path, "a shard", "manifest.json names it"))
              : withValues(
                  verdict(file, shards.get(number), manifest, expected),
                  shards.get(number),
                  expected));
    }
    return verdicts;
  }

  private FileVerdict withValues(FileVerdict verdict, Shard shard, Expectation expected)
      throws IOException {
    return verdict.verdict() == Verdict.GOOD
        ? verdict.and(shard.picked.check(files, verdict.path(), expected))
        : verdict;
  }

  private void readIndex(
      FileStat index,
      ShardManifest manifest,
      Map<String, FileStat> byName,
      List<Shard> shards,
      List<Finding> findings)
      throws IOException {
    long number = 0;
    for (long at = 0; at < index.bytes(); at += CHUNK_BYTES) {
      int length = (int) Math.min(CHUNK_BYTES, index.bytes() - at);
      byte[] chunk = files.read(index.path(), List.of(new ByteRange(at, length))).get(0);
      ByteBuffer records = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
      while (records.remaining() >= RECORD_BYTES) {
        long id = records.getLong();
        long shard = Integer.toUnsignedLong(records.getInt());
        if (id != number || shard >= shards.size()) {
          String actual = "record " + number + " is of sample " + id + " in shard " + shard;
          findings.add(
              error("set.index-order", index.path(), "samples in order, in known shards", actual));
          return;
        }
        place(id, records, manifest, byName, (int) shard, shards.get((int) shard));
        number++;
      }
    }
  }

  private static void place(
      long id,
      ByteBuffer record,
      ShardManifest manifest,
      Map<String, FileStat> byName,
      int number,
      Shard shard) {
    long tokens = Integer.toUnsignedLong(record.getInt());
    // bfloat16 layers; ids of int32; masks of uint8.
    long row = 2 * manifest.hiddenSize();
    long[] bytes = {4, 1, 1, row * manifest.layers(), row};
    @Nullable FileStat file = byName.get(manifest.shards().get(number));
    boolean within = true;
    long idsAt = record.getLong(record.position());
    long maskAt = record.getLong(record.position() + 2 * Long.BYTES);
    for (long each : bytes) {
      long offset = record.getLong();
      long size = file == null ? 0 : file.bytes();
      // Divided, not multiplied: the numbers of a broken index overflow.
      within &= offset >= 0 && offset <= size && tokens <= (size - offset) / Math.max(each, 1);
    }
    shard.samples++;
    shard.tokens += tokens;
    if (within) {
      shard.picked.offer(id, tokens, idsAt, maskAt);
    } else {
      shard.samplesBeyond++;
      if (shard.beyond == null) {
        shard.beyond = "sample " + id + " of " + tokens + " tokens";
      }
    }
  }

  private static FileVerdict verdict(
      FileStat file, Shard shard, ShardManifest manifest, Expectation expected) {
    int layers = manifest.layers() + 1;
    List<Finding> findings = new ArrayList<>();
    if (shard.beyond != null) {
      findings.add(
          error(
              "file.shard-cut",
              file.path(),
              "all of its " + shard.samples + " samples",
              shard.samplesBeyond
                  + " that reach over its end at "
                  + file.bytes()
                  + " bytes, the first: "
                  + shard.beyond));
    }
    boolean width =
        expected.hiddenSize().filter(size -> size.value() != manifest.hiddenSize()).isPresent();
    boolean count =
        expected
            .layers()
            .filter(wanted -> wanted.value() != layers && wanted.value() != manifest.layers())
            .isPresent();
    SampleShape shape =
        new SampleShape(
            SCHEMA,
            OptionalLong.of(shard.tokens),
            layers,
            List.of(
                new ShapeRun(
                    layers, List.of(shard.tokens, manifest.hiddenSize()), manifest.dtype())));
    if (width) {
      String wanted = expected.hiddenSize().map(size -> size.value() + "").orElse("");
      findings.add(error("layers.hidden-size", file.path(), "[T, " + wanted + "]", shape.says()));
    }
    if (count) {
      String wanted = expected.layers().map(size -> size.value() + " layers").orElse("");
      findings.add(error("layers.count", file.path(), wanted, shape.says()));
    }
    SampleVerifier.otherSchema(file.path(), SCHEMA, expected).ifPresent(findings::add);
    String says = shape.says() + " of " + shard.samples + " samples";
    return FileVerdict.of(file.path(), file.bytes(), Optional.of(shape), says, findings);
  }

  private static Finding error(String code, String subject, String expected, String actual) {
    return Finding.of(code, Severity.ERROR, subject, expected, actual);
  }
}
