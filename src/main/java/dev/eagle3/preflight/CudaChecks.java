package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Whether driver, GPUs, torch and the CUDA compiler go together. */
final class CudaChecks {
  private static final String PHASE = "gpus";

  /** The lowest driver for each major version of CUDA; NVIDIA, CUDA compatibility, table 2. */
  private static final Map<Long, Long> DRIVERS = Map.of(11L, 450L, 12L, 525L, 13L, 580L);

  /** Packages that compile kernels when they start. */
  private static final Set<String> COMPILE = Set.of("vllm", "torch");

  static final List<Check> ALL =
      List.of(
          new Check("gpu-driver", PHASE, CudaChecks::driver),
          new Check("gpu-kernels", PHASE, CudaChecks::kernels),
          new Check("cuda-home", PHASE, CudaChecks::cudaHome),
          new Check("ninja", PHASE, CudaChecks::ninja));

  private CudaChecks() {}

  private static Optional<String> torchCuda(Situation situation) {
    return situation.files().text("torch", 0);
  }

  private static void driver(Situation situation, Judgement judgement) {
    Optional<String> driver =
        GpuTable.of(situation.machine()).first("driver_version").map(JobChecks::shown);
    if (driver.isEmpty() || situation.files().first("torch", 2).isEmpty()) {
      return;
    }
    Optional<String> cuda = torchCuda(situation);
    if (cuda.isEmpty()) {
      if (situation.files().text("torch", 1).isEmpty()) {
        judgement.warn("the installed torch was built without CUDA");
      }
      return;
    }
    OptionalLong has = Rows.number(driver.get().split("\\.", 2)[0]);
    long major = Rows.number(cuda.get().split("\\.", 2)[0]).orElse(0);
    Long least = DRIVERS.get(major);
    if (has.isPresent() && least != null && has.getAsLong() < least) {
      judgement.warn(
          "the driver is "
              + driver.get()
              + ", and torch was built for CUDA "
              + shown(cuda.get())
              + ", which needs "
              + least
              + " or later, or its compatibility package");
    } else {
      judgement.ok("driver " + driver.get() + ", torch for CUDA " + shown(cuda.get()));
    }
  }

  private static void kernels(Situation situation, Judgement judgement) {
    Optional<String> list = situation.files().text("torch-arch", 0);
    for (Map<String, String> gpu : GpuChecks.needed(situation)) {
      Optional<Integer> capability = capability(gpu.getOrDefault("compute_cap", ""));
      if (capability.isEmpty() || torchCuda(situation).isEmpty()) {
        return;
      }
      boolean runs =
          list.isPresent()
              ? Arrays.stream(list.get().split(" ", -1))
                  .anyMatch(word -> runs(word, capability.get()))
              : isKnownTo(torchCuda(situation).get(), capability.get());
      if (!runs) {
        judgement.warn(
            "GPU "
                + shown(gpu.getOrDefault("index", "?"))
                + " ("
                + shown(gpu.getOrDefault("name", "?"))
                + ") is an sm_"
                + capability.get()
                + ", and torch has code for "
                + shown(list.orElse("CUDA " + torchCuda(situation).orElse("?") + " only"))
                + ": no kernel image is available for execution on the device; a torch for a newer"
                + " CUDA has (sm_120: 12.8)");
        return;
      }
    }
    list.ifPresent(words -> judgement.ok("torch has code for these GPUs: " + shown(words)));
  }

  /** 12.0 as 120; the last digit is the minor version. */
  private static Optional<Integer> capability(String text) {
    return text.matches("[0-9]{1,2}\\.[0-9]")
        ? Optional.of(Integer.valueOf(text.replace(".", "")))
        : Optional.empty();
  }

  /**
   * Code for sm_XY runs on GPUs of the same X and the same or a higher Y; with an a, on that GPU
   * alone; with an f, on its family. compute_XY is compiled anew for any later one.
   */
  static boolean runs(String word, int capability) {
    if (!word.matches("(sm|compute)_[0-9]{2,3}[af]?")) {
      return false;
    }
    String digits = word.replaceAll("[^0-9]", "");
    int built = Integer.parseInt(digits);
    if (word.endsWith("a")) {
      return built == capability;
    }
    if (word.startsWith("compute_") && !word.endsWith("f")) {
      return built <= capability;
    }
    return built / 10 == capability / 10 && built <= capability;
  }

  /** By the first version of CUDA that knows a GPU; older GPUs are known to all that is in use. */
  private static boolean isKnownTo(String cuda, int capability) {
    String[] parts = cuda.split("\\.", -1);
    long version =
        Rows.number(parts[0]).orElse(99) * 100
            + (parts.length > 1 ? Rows.number(parts[1]).orElse(0) : 0);
    if (capability >= 100) {
      return version >= (capability == 103 || capability == 121 ? 1209 : 1208);
    }
    return capability < 89 || version >= 1108;
  }

  private static boolean compiles(Situation situation) {
    return !situation.isWrapped()
        && VersionChecks.installed(situation).keySet().stream().anyMatch(COMPILE::contains);
  }

  private static void cudaHome(Situation situation, Judgement judgement) {
    if (!compiles(situation)) {
      return;
    }
    Rows machine = situation.machine();
    Optional<String> home = situation.plan().cudaHome();
    boolean there = machine.text("cuda-home", 1).orElse("").equals("yes");
    Optional<String> nvcc = machine.text("nvcc", 0);
    if (home.isPresent() && !there) {
      judgement.warn("--cuda-home " + shown(home.get()) + " is not there");
    } else if (home.isPresent() && nvcc.isEmpty()) {
      judgement.warn(
          shown(home.get())
              + "/bin/nvcc is not there: what compiles kernels at its start looks for it there and"
              + " not on PATH");
    } else if (nvcc.isEmpty()) {
      judgement.note("no nvcc: what compiles kernels at its start will not find one; --cuda-home");
    } else {
      compiler(situation, nvcc.get(), judgement);
    }
  }

  private static void compiler(Situation situation, String nvcc, Judgement judgement) {
    Optional<String> release = situation.machine().text("nvcc", 1);
    Optional<String> cuda = torchCuda(situation);
    String major = release.map(text -> text.split("\\.", 2)[0]).orElse("");
    if (release.isPresent() && cuda.isPresent() && !cuda.get().split("\\.", 2)[0].equals(major)) {
      judgement.warn(
          shown(nvcc)
              + " is of CUDA "
              + shown(release.get())
              + ", and torch was built for "
              + shown(cuda.get())
              + ": kernels that are compiled at the start fail");
    } else if (situation.machine().text("compiler", 0).isEmpty()) {
      judgement.warn("nvcc is there, and no C++ compiler, which it needs");
    } else {
      judgement.ok(shown(nvcc) + release.map(text -> " of CUDA " + shown(text)).orElse(""));
    }
  }

  private static void ninja(Situation situation, Judgement judgement) {
    if (!compiles(situation)) {
      return;
    }
    Optional<String> ninja = situation.machine().text("ninja", 0);
    if (ninja.isPresent()) {
      judgement.ok("ninja is " + shown(ninja.get()));
    } else if (situation.isSetUp()) {
      judgement.note(
          "no ninja on PATH before setup: kernels that are compiled at the start need it");
    } else {
      judgement.warn("no ninja on the job's PATH: kernels that are compiled at the start need it");
    }
  }
}
