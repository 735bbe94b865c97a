package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real interpreter reads of packages beside their versions. */
class InstalledMetadataTest {
  @TempDir Path folder;

  private ReadyHost host;
  private Site site;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder.resolve("host"));
    site = Site.in(folder.resolve("site"));
    host.set("env", "PYTHONPATH=" + site.folder());
  }

  @Test
  void whatTorchWasBuiltForIsReadWithoutImportingIt() throws IOException {
    site.distribution("torch", "2.11.0+cu130", "");
    site.file("torch/__init__.py", "raise SystemExit('torch was imported')\n");
    site.file(
        "torch/version.py",
        "from typing import Optional\n\n__version__ = '2.11.0+cu130'\n"
            + "cuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n");
    site.file(
        "torch/lib/libtorch_python.so",
        "\0sm_\0compute\0sm_75 sm_80 sm_86 sm_90 sm_100 sm_120\0sm_90\0more");
    Files.writeString(
        host.files.bin().resolve("nvidia-smi"),
        "#!/bin/sh\necho 'index, name, driver_version, memory.total [MiB], memory.used [MiB],"
            + " compute_cap'\necho '0, NVIDIA H200, 580.159.04, 143771 MiB, 0 MiB, 9.0'\n");
    host.set("tp-size", "1");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("gpu-kernels"))
        .containsExactly(
            "ok: torch has code for these GPUs: sm_75 sm_80 sm_86 sm_90 sm_100 sm_120");
    assertThat(host.said("gpu-driver"))
        .containsExactly("ok: driver 580.159.04, torch for CUDA 13.0");
  }

  @Test
  @Hostile("metadata of packages is broken")
  void brokenMetadataIsNoCrash() throws IOException {
    site.file("vllm-0.12.0.dist-info/METADATA", "\0\1\2 Version\nRequires-Dist: ((((\n");
    site.file("torch-2.9.0.dist-info/METADATA", "");
    Files.createDirectories(site.folder().resolve("transformers-5.dist-info/METADATA"));
    site.file("torch/version.py", "cuda = (\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("interpreter")).singleElement().asString().startsWith("ok: Python 3");
  }
}
