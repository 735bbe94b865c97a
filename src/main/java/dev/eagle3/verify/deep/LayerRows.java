package dev.eagle3.verify.deep;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows of saved layers as numbers, whatever their dtype and strides. All ranges of one call are in
 * flight together. May be used from many threads at once.
 */
public final class LayerRows {
  /** What one call may read, and so what it may take of memory, with the numbers beside. */
  private static final long MOST_BYTES = 64L << 20;

  private final FileTree files;

  /** Reads through {@code files}, which stays open. */
  public LayerRows(FileTree files) {
    this.files = files;
  }

  /**
   * Whether {@link #rows} can read the layer: a matrix of floating-point numbers whose values lie
   * uncompressed within the file.
   */
  public static boolean canRead(TensorEntry layer) {
    StorageExtent storage = layer.storage();
    Optional<Element> element = Element.of(layer.dtype());
    if (storage == null || element.isEmpty() || storage.fileOffset() < 0) {
      return false;
    }
    if (layer.shape().size() != 2) {
      return false;
    }
    RowPlace place = new RowPlace(layer, element.get().bytes());
    return place.end() <= storage.storedBytes() && spread(place, 1) <= MOST_BYTES;
  }

  /** Whether {@link #rows} can read all rows of the layer in one call. */
  static boolean canReadAll(TensorEntry layer) {
    if (!canRead(layer) || layer.shape().get(0) > MOST_BYTES) {
      return false;
    }
    int elementBytes = Element.of(layer.dtype()).orElseThrow().bytes();
    RowPlace place = new RowPlace(layer, elementBytes);
    return spread(place, (int) place.rows()) <= MOST_BYTES;
  }

  /**
   * Rows {@code from} to {@code from + count - 1}, one after another: {@code count × H} numbers.
   * float64 is rounded to float.
   *
   * @param path the file that the layer was read from
   * @param layer a matrix that {@link #canRead}; {@link LayerViews} makes them of other layouts
   * @throws IllegalArgumentException for rows that the layer does not have, or more than 64 MiB
   * @throws IOException when the bytes cannot be had, or the file has become shorter
   */
  public float[] rows(String path, TensorEntry layer, long from, int count) throws IOException {
    byte[] bytes = bytes(path, layer, from, count);
    Element element = Element.of(layer.dtype()).orElseThrow(IllegalArgumentException::new);
    float[] numbers = new float[bytes.length / element.bytes()];
    for (int index = 0; index < numbers.length; index++) {
      numbers[index] = (float) element.value(bytes, index * element.bytes());
    }
    return numbers;
  }

  /** As {@link #rows}, as the bytes of a contiguous matrix. */
  byte[] bytes(String path, TensorEntry layer, long from, int count) throws IOException {
    Element element = Element.of(layer.dtype()).orElseThrow(IllegalArgumentException::new);
    RowPlace place = new RowPlace(layer, element.bytes());
    if (!canRead(layer)
        || from < 0
        || count < 0
        || from > place.rows() - count
        || spread(place, count) > MOST_BYTES) {
      throw new IllegalArgumentException("rows " + from + "+" + count + " of " + layer.shape());
    }
    if (place.isContiguous()) {
      return piece(path, place.row(from), Math.toIntExact(place.rowBytes() * count));
    }
    List<byte[]> answers = files.read(path, ranges(place, from, count));
    int step = element.bytes();
    int columns = (int) place.columns();
    byte[] matrix = new byte[count * columns * step];
    for (int row = 0; row < count; row++) {
      if (place.isInPieces()) {
        byte[] source = answers.get(row);
        if (source.length < place.rowBytes()) {
          throw new EOFException(path + ": the file became shorter");
        }
        System.arraycopy(source, 0, matrix, row * columns * step, columns * step);
        continue;
      }
      for (int column = 0; column < columns; column++) {
        byte[] source = answers.get(place.isByRow() ? row : column);
        long at = place.isByRow() ? column * place.columnStep() : row * place.rowStep();
        if (at + step > source.length) {
          throw new EOFException(path + ": the file became shorter");
        }
        System.arraycopy(source, (int) at, matrix, (row * columns + column) * step, step);
      }
    }
    return matrix;
  }

  private byte[] piece(String path, long offset, int bytes) throws IOException {
    byte[] answer = files.read(path, List.of(new ByteRange(offset, bytes))).get(0);
    if (answer.length < bytes) {
      throw new EOFException(path + ": the file became shorter");
    }
    return answer;
  }

  /** How many bytes the ranges of some rows have. */
  private static long spread(RowPlace place, int count) {
    if (count == 0 || place.columns() == 0) {
      return 0;
    }
    long one = place.isByRow() ? place.rowBytes() : columnBytes(place, count);
    long ranges = place.isByRow() ? count : place.columns();
    return one > MOST_BYTES || ranges > MOST_BYTES ? Long.MAX_VALUE : one * ranges;
  }

  private static long columnBytes(RowPlace place, int count) {
    return (count - 1) * place.rowStep() + place.elementBytes();
  }

  /** One range a row; of a layer that lies by columns, one range a column. */
  private static List<ByteRange> ranges(RowPlace place, long from, int count) {
    List<ByteRange> ranges = new ArrayList<>();
    if (count == 0 || place.columns() == 0) {
      return ranges;
    }
    if (place.isByRow()) {
      for (int row = 0; row < count; row++) {
        ranges.add(new ByteRange(place.row(from + row), (int) place.rowBytes()));
      }
    } else {
      long bytes = columnBytes(place, count);
      for (long column = 0; column < place.columns(); column++) {
        ranges.add(
            new ByteRange(place.row(from) + column * place.columnStep(), Math.toIntExact(bytes)));
      }
    }
    return ranges;
  }
}
