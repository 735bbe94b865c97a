package dev.eagle3.files;

import java.io.IOException;
import java.util.List;

/** The bytes of one file of known size, read in ranges: what a format reader works on. */
public interface RangedBytes {
  /** How messages name the file. */
  String name();

  /** Its size in bytes when it was listed. */
  long size();

  /** As {@link FileTree#read}. */
  List<byte[]> read(List<ByteRange> ranges) throws IOException;

  /** A file of a tree. */
  static RangedBytes of(FileTree tree, FileStat file) {
    return new RangedBytes() {
      @Override
      public String name() {
        return file.path();
      }

      @Override
      public long size() {
        return file.bytes();
      }

      @Override
      public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        return tree.read(file.path(), ranges);
      }
    };
  }
}
