package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.SafetensorsHeader.Info;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads safetensors: the length of the header in 8 bytes, the header in JSON, then the values
 * without gaps ({@code safetensors/src/tensor.rs}, 0.8.0). As strict as the format itself, and
 * stricter where its reader lets a mistake pass.
 */
final class SafetensorsReader {
  private static final int LENGTH_BYTES = 8;

  /** The format's own limit. */
  private static final long MOST_HEADER_BYTES = 100_000_000;

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  SafetensorsReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  /**
   * Whether a file starts as safetensors does: a length, then the start of a JSON object. White
   * space before the object is allowed on purpose, but a sensible length must vouch for it; and a
   * length that is not sensible must not be eight letters of a text.
   */
  static boolean looksLike(Slice head) {
    if (head.length() <= LENGTH_BYTES) {
      return false;
    }
    int first = head.u8(LENGTH_BYTES);
    long length = head.i64(0);
    boolean isSensible = length > 0 && length <= MOST_HEADER_BYTES;
    return isSensible
        ? first == '{' || SafetensorsHeader.isSpace(first)
        : first == '{' && !isText(head.part(0, LENGTH_BYTES));
  }

  private static boolean isText(Slice bytes) {
    for (int index = 0; index < bytes.length(); index++) {
      if (bytes.u8(index) < ' ' || bytes.u8(index) > '~') {
        return false;
      }
    }
    return true;
  }

  TensorContent read() throws IOException, FileFault {
    long headerBytes = window.slice(0, LENGTH_BYTES).i64(0);
    checkLength(headerBytes);
    if (headerBytes > window.size() - LENGTH_BYTES) {
      return start(headerBytes);
    }
    Slice header = window.fetch(new ByteRange(LENGTH_BYTES, (int) headerBytes));
    SafetensorsHeader parsed = new SafetensorsHeader(header, limits);
    List<Info> infos = parsed.read();
    long dataOffset = LENGTH_BYTES + headerBytes;
    findings.gather(
        Severity.WARNING,
        "file.entry-unknown",
        "dtype, shape and data_offsets",
        "fields are unknown",
        parsed.unknownFields());
    findings.gather(
        Severity.ERROR,
        "file.dtype-unknown",
        "dtypes of safetensors",
        "tensors have dtypes that are not known",
        parsed.unknownDtypes(),
        "a newer safetensors may have them: the file need not be damaged");
    checkPlaces(infos);
    checkEnd(infos, dataOffset);
    return content(infos, dataOffset);
  }

  /** Of a file that ends within its header: the tensors up to there, without values. */
  private TensorContent start(long headerBytes) throws IOException, FileFault {
    long there = window.size() - LENGTH_BYTES;
    Slice header = window.fetch(new ByteRange(LENGTH_BYTES, (int) there));
    List<Info> infos = new SafetensorsHeader(header, limits).readStart();
    findings.error(
        "file.cut",
        "a header of " + Findings.grouped(headerBytes) + " bytes",
        Findings.grouped(there) + " bytes in all: it ends within its header");
    return content(infos, LENGTH_BYTES + headerBytes);
  }

  private TensorContent content(List<Info> infos, long dataOffset) {
    List<String> keys = infos.stream().map(Info::name).toList();
    List<TensorEntry> tensors = infos.stream().map(info -> entry(info, dataOffset)).toList();
    return new TensorContent(ContainerKind.SAFETENSORS, keys, tensors, List.of(), List.of());
  }

  private void checkLength(long headerBytes) throws FileFault {
    String wanted = "a header of at most " + Findings.grouped(MOST_HEADER_BYTES) + " bytes";
    if (headerBytes < 0 || headerBytes > MOST_HEADER_BYTES) {
      throw new FileFault(
          "file.header-too-large",
          wanted,
          "it says " + Long.toUnsignedString(headerBytes) + " bytes",
          "safetensors itself refuses it (\"header too large\")");
    }
    if (headerBytes > limits.headerBytes()) {
      throw new FileFault(
          "file.limit",
          "a header of at most " + Findings.grouped(limits.headerBytes()) + " bytes",
          Findings.grouped(headerBytes) + " bytes");
    }
  }

  /** Values stand without gaps, and each tensor has the bytes that its shape needs. */
  private void checkPlaces(List<Info> infos) {
    Cases sizes = new Cases();
    Cases places = new Cases();
    for (Info info : infos) {
      if (!info.fits()) {
        sizes.add(
            name(info)
                + ": "
                + info.dtype().word()
                + " "
                + info.shape()
                + " needs "
                + (info.neededBytes() < 0
                    ? "no whole number of bytes"
                    : Findings.grouped(info.neededBytes()) + " bytes")
                + ", its offsets hold "
                + Findings.grouped(info.end() - info.begin()));
      }
    }
    long next = 0;
    for (Info info : inFileOrder(infos)) {
      if (info.begin() != next) {
        places.add(
            name(info)
                + " begins at "
                + Findings.grouped(info.begin())
                + (info.begin() < next ? ", over" : ", with a gap after")
                + " the one that ends at "
                + Findings.grouped(next));
      }
      next = Math.max(next, info.end());
    }
    findings.gather(
        Severity.ERROR,
        "file.tensor-size",
        "offsets that hold what the shape needs",
        "tensors have offsets that do not fit their shapes",
        sizes);
    findings.gather(
        Severity.ERROR,
        "file.offsets",
        "values one after another, from 0 on",
        "tensors overlap or leave gaps",
        places);
  }

  private void checkEnd(List<Info> infos, long dataOffset) {
    long end = infos.stream().mapToLong(Info::end).max().orElse(0);
    long needs = dataOffset + end;
    if (needs < 0 || window.size() < needs) {
      long there = window.size() - dataOffset;
      long whole = infos.stream().filter(info -> info.end() <= there).count();
      findings.error(
          "file.cut",
          (needs < 0 ? "more bytes than can be" : Findings.grouped(needs) + " bytes"),
          Findings.grouped(window.size())
              + " bytes: "
              + whole
              + " of "
              + infos.size()
              + " tensors are whole",
          "writing or copying it did not finish");
    } else if (window.size() > needs) {
      findings.error(
          "file.trailing-bytes",
          Findings.grouped(needs) + " bytes",
          Findings.grouped(window.size() - needs) + " bytes more");
    }
  }

  private TensorEntry entry(Info info, long dataOffset) {
    long declared = info.end() - info.begin();
    long there = Math.min(declared, window.size() - dataOffset - info.begin());
    boolean isThere = there > 0 || there == declared;
    StorageExtent storage =
        new StorageExtent(
            info.name(),
            declared,
            isThere ? dataOffset + info.begin() : -1,
            isThere ? there : -1,
            declared);
    return new TensorEntry(
        info.name(),
        info.name(),
        info.torchDtype(),
        info.torchShape(),
        TensorArguments.contiguous(info.torchShape()),
        0,
        storage);
  }

  private static List<Info> inFileOrder(List<Info> infos) {
    List<Info> sorted = new ArrayList<>(infos);
    sorted.sort(Comparator.comparingLong(Info::begin).thenComparingLong(Info::end));
    return sorted;
  }

  private static String name(Info info) {
    return Findings.shortened(info.name());
  }
}
