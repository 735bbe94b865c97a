package dev.eagle3.tensor;

import java.io.IOException;

/** Tells by its bytes what a file is, and has it read by the reader of that format. */
final class ContentReader {
  private static final byte[] ZIP = {'P', 'K', 3, 4};

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  ContentReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  TensorContent read() throws IOException, FileFault {
    Slice head = window.slice(window.head(FileWindow.EDGE_BYTES));
    if (head.startsWith(ZIP)) {
      return guarded(ContainerKind.TORCH_ZIP, new TorchZipReader(window, limits, findings)::read);
    }
    if (GzipReader.looksLike(head)) {
      return guarded(
          ContainerKind.TORCH_ZIP_IN_GZIP, new GzipReader(window, limits, findings)::read);
    }
    if (LegacyTorchReader.looksLike(head)) {
      return guarded(
          ContainerKind.TORCH_LEGACY, new LegacyTorchReader(window, limits, findings)::read);
    }
    if (SafetensorsReader.looksLike(head)) {
      return guarded(
          ContainerKind.SAFETENSORS, new SafetensorsReader(window, limits, findings)::read);
    }
    if (PlainPickleReader.looksLike(head)) {
      return guarded(ContainerKind.FOREIGN, new PlainPickleReader(window, limits, findings)::read);
    }
    if (head.length() < ZIP.length && Slice.of(ZIP).startsWith(head.bytes())) {
      findings.error("file.cut", "a torch zip file", head.length() + " bytes, the start of one");
      return TensorContent.nothing(ContainerKind.TORCH_ZIP);
    }
    Slice tail = window.slice(window.tail(FileWindow.EDGE_BYTES));
    findings.error(
        "file.foreign", "a torch zip or safetensors file", ForeignFormat.name(head, tail));
    return TensorContent.nothing(ContainerKind.FOREIGN);
  }

  private interface Reading {
    TensorContent read() throws IOException, FileFault;
  }

  /** A fault ends the reading; what the file is stays known. */
  private TensorContent guarded(ContainerKind kind, Reading reading) throws IOException {
    try {
      return reading.read();
    } catch (FileFault fault) {
      findings.add(fault);
      return TensorContent.nothing(kind);
    }
  }
}
