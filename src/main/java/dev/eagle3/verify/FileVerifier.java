package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Verifies one file of a machine. May be called from many threads at once. */
public final class FileVerifier {
  /** How often a file that changes under the reader is looked at before it is called unfinished. */
  private static final int MOST_LOOKS = 3;

  private final FileTree files;
  private final HeaderReader headers;
  private final ValueVerifier values;
  private final ReadAhead ahead = new ReadAhead();
  private final KnownTexts texts = new KnownTexts();
  private final SampleVerifier samples = new SampleVerifier();

  /** Reads through {@code files}, which stays open. */
  public FileVerifier(FileTree files) {
    this(files, ValueVerifier.NONE);
  }

  /** As the other, and looks at values too. */
  public FileVerifier(FileTree files, ValueVerifier values) {
    this(files, new TensorFileReader()::read, values);
  }

  FileVerifier(FileTree files, HeaderReader headers) {
    this(files, headers, ValueVerifier.NONE);
  }

  private FileVerifier(FileTree files, HeaderReader headers, ValueVerifier values) {
    this.files = files;
    this.headers = headers;
    this.values = values;
  }

  /** What reads the header of a file. */
  @FunctionalInterface
  interface HeaderReader {
    /** As {@link TensorFileReader#read}. */
    TensorFile read(RangedBytes bytes) throws IOException;
  }

  /**
   * Reads the header of a file and judges it; two round trips. A file that is not there, may not be
   * read, is no regular file, or changes meanwhile is a finding.
   *
   * @param listed the file as it was listed; a link is followed
   * @throws IOException when the connection is gone
   */
  public FileVerdict verify(FileStat listed, Expectation expected) throws IOException {
    String path = listed.path();
    try {
      FileStat before = listed;
      if (listed.kind() == FileKind.LINK) {
        Optional<FileStat> target = files.stat(path);
        if (target.isEmpty()) {
          return FileVerdict.unread(
              path, -1, wrong("file.missing", path, "its link leads nowhere"));
        }
        before = target.get();
      }
      if (before.kind() != FileKind.FILE) {
        return FileVerdict.unread(
            path, -1, wrong("file.not-regular", path, "no regular file, so it was not opened"));
      }
      return verifyRegular(before, expected);
    } catch (NoSuchFileException vanished) {
      return FileVerdict.unread(path, -1, wrong("file.missing", path, "it vanished"));
    } catch (AccessDeniedException denied) {
      return FileVerdict.unread(
          path, listed.bytes(), wrong("file.unreadable", path, "permission denied"));
    }
  }

  private FileVerdict verifyRegular(FileStat listed, Expectation expected) throws IOException {
    FileStat before = listed;
    for (int look = 1; look <= MOST_LOOKS; look++) {
      SampleBytes bytes = new SampleBytes(files, before, ahead);
      FileVerdict verdict = look(bytes, before, expected);
      FileStat after = bytes.after();
      if (isUnchanged(before, after)) {
        return texts.shared(verdict);
      }
      before = after;
    }
    String grown =
        "it changed while it was read, " + listed.bytes() + " to " + before.bytes() + " bytes";
    return FileVerdict.unread(
        before.path(), before.bytes(), wrong(FileVerdict.BEING_WRITTEN, before.path(), grown));
  }

  private FileVerdict look(SampleBytes bytes, FileStat file, Expectation expected)
      throws IOException {
    try {
      TensorFile header = headers.read(bytes);
      FileVerdict found = samples.verify(header, expected);
      FileVerdict verdict = found.and(TokenValues.check(bytes, header, found, expected));
      if (values == ValueVerifier.NONE || !verdict.isWhole()) {
        return verdict;
      }
      FileVerdict deep = verdict.with(values.verify(file, header, expected));
      bytes.lookAgain();
      return deep;
    } catch (NoSuchFileException | AccessDeniedException known) {
      throw known;
    } catch (IOException trouble) {
      // A bad block of a disk, or the end of the connection? The machine still answers to the one.
      files.stat(file.path());
      return FileVerdict.unread(
          file.path(),
          file.bytes(),
          wrong("file.unreadable", file.path(), String.valueOf(trouble.getMessage())));
    }
  }

  private static boolean isUnchanged(FileStat before, FileStat after) {
    return before.bytes() == after.bytes() && before.modifiedSeconds() == after.modifiedSeconds();
  }

  private static Finding wrong(String code, String path, String actual) {
    return Finding.of(code, Severity.ERROR, path, "a readable file", actual);
  }
}
