package dev.eagle3.verify;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Local files with something that happens right before each read and each stat. */
final class MeddlingFileTree implements FileTree {
  private final LocalFileTree files = new LocalFileTree();
  private final Meddling beforeRead;
  private final Meddling beforeStat;

  MeddlingFileTree(Meddling beforeRead, Meddling beforeStat) {
    this.beforeRead = beforeRead;
    this.beforeStat = beforeStat;
  }

  /** Something that happens to a path; may throw what a machine would. */
  @FunctionalInterface
  interface Meddling {
    Meddling NONE = path -> {};

    void with(String path) throws IOException;
  }

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    beforeStat.with(path);
    return files.stat(path);
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return files.linkStat(path);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    return files.list(folder, most);
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    beforeRead.with(path);
    return files.read(path, ranges);
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return files.open(path, offset);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    files.write(path, content, permissions);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void close() {
    files.close();
  }
}
