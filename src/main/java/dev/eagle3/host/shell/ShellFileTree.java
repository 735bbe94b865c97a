package dev.eagle3.host.shell;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.HostScripts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The files of a host over a POSIX shell with coreutils ({@code serve-files.sh}), where there is no
 * SFTP. A few shells serve all requests; one that is lost is replaced, and what it was asked is
 * asked again unless it may have changed something. A name that is no UTF-8 stands in paths as
 * {@link PathBytes} says.
 */
public final class ShellFileTree implements FileTree {
  private static final int MOST_SHELLS = 4;
  private static final Duration SILENCE = Duration.ofMinutes(2);
  private static final int MOST_NAME_BYTES = 4096;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final FileShells shells;

  /** Files of the host that {@code scripts} run on; the shells are started when needed. */
  public ShellFileTree(HostScripts scripts) {
    this(scripts, SILENCE);
  }

  /** As {@link #ShellFileTree(HostScripts)}; a shell that is silent for so long is given up. */
  ShellFileTree(HostScripts scripts, Duration silence) {
    this.shells = new FileShells(scripts, MOST_SHELLS, silence);
  }

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return stat("stat", path);
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return stat("lstat", path);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    String field = field(folder);
    return shells.again(
        shell -> {
          shell.ask("list", field);
          return entries(shell, folder, most);
        });
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    return new ShellRangeReader(shells, path, field(path)).read(ranges);
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return ShellInputStream.open(new ShellRangeReader(shells, path, field(path)), offset);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    String temporary = folder + ".eagle3-" + HexFormat.of().toHexDigits(RANDOM.nextLong()) + ".tmp";
    String field = field(path);
    shells.once(
        shell -> {
          shell.ask(
              "write",
              field,
              field(temporary),
              Integer.toOctalString(permissions),
              String.valueOf(content.length),
              sha256(content));
          shell.answer(OutputStream.nullOutputStream(), path);
          shell.sendContent(content);
          return afterContent(shell, path);
        });
  }

  @Override
  public void rename(String from, String to) throws IOException {
    String fromField = field(from);
    String toField = field(to);
    shells.once(
        shell -> {
          shell.ask("rename", fromField, toField);
          try {
            return shell.answer(OutputStream.nullOutputStream(), from);
          } catch (FileAlreadyExistsException taken) {
            throw new FileAlreadyExistsException(to);
          }
        });
  }

  /** Ends the shells that nobody uses at the moment; new ones are started when needed. */
  public void closeIdle() {
    shells.closeIdle();
  }

  @Override
  public void close() {
    shells.close();
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** A shell that refuses after content ends, since the rest of that might look like requests. */
  private static String afterContent(FileShell shell, String path) throws IOException {
    boolean done = false;
    try {
      String answer = shell.answer(OutputStream.nullOutputStream(), path);
      done = true;
      return answer;
    } finally {
      if (!done) {
        shell.close();
      }
    }
  }

  private Optional<FileStat> stat(String request, String path) throws IOException {
    String field = field(path);
    try {
      return Optional.of(
          shells.again(
              shell -> {
                shell.ask(request, field);
                String answer = shell.answer(OutputStream.nullOutputStream(), path);
                return ShellStat.read(answer, "is").named(path);
              }));
    } catch (NoSuchFileException nothing) {
      return Optional.empty();
    }
  }

  private static List<FileStat> entries(FileShell shell, String folder, int most)
      throws IOException {
    String prefix = folder.endsWith("/") ? folder : folder + "/";
    List<FileStat> entries = new ArrayList<>();
    LimitedBytes name = new LimitedBytes(0, MOST_NAME_BYTES);
    String answer = shell.answer(name, folder);
    while (!answer.equals("ok")) {
      if (entries.size() >= most) {
        throw new IOException(folder + ": more than " + most + " entries");
      }
      ShellStat stat = ShellStat.read(answer, "entry");
      name = new LimitedBytes(0, MOST_NAME_BYTES);
      answer = shell.answer(name, folder);
      entries.add(stat.named(prefix + name(name, folder)));
    }
    entries.sort(Comparator.comparing(FileStat::path));
    return entries;
  }

  /** A name as {@code stat} prints it: {@code ./NAME} and a line end. */
  private static String name(LimitedBytes printed, String folder) throws IOException {
    String text = PathBytes.decode(printed.bytes());
    if (printed.exceeded() || !text.startsWith("./") || !text.endsWith("\n")) {
      throw new LostShellException(folder + ": malformed answer");
    }
    String name = text.substring(2, text.length() - 1);
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new LostShellException(folder + ": the host lists a name that cannot be one");
    }
    return name;
  }

  private static String field(String path) throws FileSystemException {
    if (path.indexOf('\0') >= 0) {
      throw new FileSystemException(path, null, "no file can have this name");
    }
    if (!path.startsWith("/")) {
      throw new FileSystemException(path, null, "is no absolute path");
    }
    return PathBytes.field(path);
  }
}
