package dev.eagle3.transfer;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Brings files of a host home, so that a file has its own name only when it is whole: written under
 * a temporary name, its size and structure checked, then renamed. What was interrupted goes on
 * where it stopped; a local file of the same size and time is left as it is.
 */
public final class Puller {
  private static final int BUFFER_BYTES = 256 << 10;
  private static final Set<String> TENSOR_ENDINGS = Set.of("pt", "ckpt", "safetensors");

  private final String host;
  private final FileTree tree;
  private final EventSink sink;
  private final LocalFileTree local = new LocalFileTree();
  private final TensorFileReader reader = new TensorFileReader();

  /** A puller from one host, whose tree stays the caller's to close. */
  public Puller(String host, FileTree tree, EventSink sink) {
    this.host = host;
    this.tree = tree;
    this.sink = sink;
  }

  /**
   * Pulls all files, one after the other. Blocks. A file that cannot be pulled is reported and
   * counted; the others go on.
   *
   * @throws Failure {@code LOCAL_FILE} when the local folder cannot be made or written
   */
  public PullResult pull(PullRequest request) {
    try {
      Files.createDirectories(request.to());
    } catch (IOException impossible) {
      throw Failure.of(Exit.LOCAL_FILE, request.to().toString(), "cannot be made a folder")
          .causedBy(impossible);
    }
    Tally tally = new Tally();
    long total = request.files().stream().mapToLong(FileStat::bytes).sum();
    Set<Path> targets = new HashSet<>();
    for (FileStat file : request.files()) {
      Path target = target(request.to(), file);
      try {
        if (!targets.add(target)) {
          throw new IOException(
              "another file of that name is pulled too; pull it to another folder");
        }
        pullOne(file, target, request.overwrite(), tally);
      } catch (IOException trouble) {
        tally.failed++;
        report(file, target, "failed");
        sink.emit(
            new Event.Found(
                Finding.of(
                    "transfer.failed",
                    Severity.ERROR,
                    host + ":" + file.path(),
                    "brought home whole",
                    String.valueOf(trouble.getMessage()))));
        stopIfLost(file);
      }
      tally.done += file.bytes();
      sink.emit(new Event.Progress("bytes", tally.done, total, Double.NaN, -1));
    }
    return new PullResult(tally.pulled, tally.equal, tally.failed, tally.broken, tally.bytes);
  }

  /** One file that fails says nothing of the others, but a host that does not answer does. */
  private void stopIfLost(FileStat file) {
    try {
      tree.linkStat(file.path());
    } catch (FileSystemException answered) {
      return;
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              host,
              "the connection was lost while files were pulled: " + lost.getMessage())
          .orTry("the same command again: it goes on where it stopped")
          .causedBy(lost);
    }
  }

  private void pullOne(FileStat file, Path target, boolean overwrite, Tally tally)
      throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      if (isEqual(file, target)) {
        tally.equal++;
        report(file, target, "equal");
        return;
      }
      if (!overwrite) {
        throw new IOException(
            target + " is there with another size or time; --overwrite replaces it");
      }
    }
    PullLock lock = PullLock.take(target);
    try {
      pullAlone(file, target, tally);
    } finally {
      lock.close();
    }
  }

  private void pullAlone(FileStat file, Path target, Tally tally) throws IOException {
    PartFile part = new PartFile(target, host, file);
    long offset = part.resumeOffset();
    tally.bytes += copy(file, part, offset);
    checkUnchanged(file);
    checkStructure(file, part.path(), tally);
    part.finish();
    tally.pulled++;
    report(file, target, offset > 0 ? "resumed" : "pulled");
  }

  private long copy(FileStat file, PartFile part, long offset) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long at = offset;
    try (FileChannel out = part.openAt(offset);
        InputStream in = tree.open(file.path(), offset)) {
      while (at < file.bytes()) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, file.bytes() - at));
        if (count < 0) {
          throw new EOFException(
              "ended at byte " + at + " of " + file.bytes() + "; was it shortened meanwhile?");
        }
        PartFile.writeFully(out, buffer, count);
        at += count;
      }
      out.force(true);
    }
    return at - offset;
  }

  private void checkUnchanged(FileStat file) throws IOException {
    Optional<FileStat> now = tree.stat(file.path());
    if (now.isEmpty()
        || now.get().bytes() != file.bytes()
        || now.get().modifiedSeconds() != file.modifiedSeconds()) {
      throw new IOException("changed on the host while it was pulled; pull it again");
    }
  }

  private void checkStructure(FileStat file, Path part, Tally tally) throws IOException {
    String name = file.name();
    if (!TENSOR_ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1))) {
      return;
    }
    FileStat home = new FileStat(part.toString(), file.kind(), file.bytes(), 0, 0);
    TensorFile tensors = reader.read(RangedBytes.of(local, home));
    List<Finding> errors =
        tensors.findings().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      tally.broken++;
      errors.forEach(finding -> sink.emit(new Event.Found(about(file, finding))));
    }
  }

  private Finding about(FileStat file, Finding finding) {
    return new Finding(
        finding.code(),
        finding.severity(),
        host + ":" + file.path(),
        finding.expected(),
        finding.actual(),
        finding.evidence());
  }

  private static boolean isEqual(FileStat file, Path target) throws IOException {
    return Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
        && Files.size(target) == file.bytes()
        && Files.getLastModifiedTime(target).to(TimeUnit.SECONDS) == file.modifiedSeconds();
  }

  /** The local path; a remote name is never more than one name in the folder. */
  private static Path target(Path folder, FileStat file) {
    String name = file.name();
    if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
      throw Failure.of(Exit.TRANSFER, file.path(), "has no name that a local file could have");
    }
    return folder.resolve(name);
  }

  private void report(FileStat file, Path target, String verdict) {
    sink.emit(
        new Event.Transfer(host + ":" + file.path(), target.toString(), file.bytes(), verdict));
  }

  private static final class Tally {
    private int pulled;
    private int equal;
    private int failed;
    private int broken;
    private long bytes;
    private long done;
  }
}
