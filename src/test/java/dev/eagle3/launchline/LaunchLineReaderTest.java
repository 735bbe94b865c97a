package dev.eagle3.launchline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.Profile;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.profile.ProfileResolver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchLineReaderTest {
  /** What every line here gives to its script unless it is about that. */
  private static final String ARGUMENTS =
      "--model-path /m --prepared-data /d.jsonl --output-dir /data/out --batch-size 4"
          + " --max-seq-len 1024 --tp-size 2 --gpu-memory-utilization 0.9 --layer-ids 2 30";

  private static final String JOB = "/env/bin/python3 /s/x.py " + ARGUMENTS;

  @Test
  void theLineOfTheStoryBecomesTheProfileThatDoesTheSame() throws IOException {
    LaunchProfile made = read(Files.readString(Path.of("src/test/resources/launchline/story.txt")));

    ExtractionPlan plan = plan(made);
    assertThat(plan.host()).isEqualTo("root@10.1.230.174");
    assertThat(plan.python()).isEqualTo("/root/ml-env/bin/python3");
    assertThat(plan.script()).isEqualTo("/root/eagle3-train/02_extract_hidden_states.py");
    assertThat(String.join(" ", plan.scriptArguments()))
        .isEqualTo(
            "--model-path /shared/kimi-k2.5-int4 --prepared-data"
                + " /root/eagle3-train/data_test/prepared/tokenized_data.jsonl --output-dir"
                + " /root/eagle3-train/data_test/hidden_states --batch-size 2 --max-seq-len 2048"
                + " --tp-size 8 --gpu-memory-utilization 0.80 --layer-ids 2 30 58 60");
    assertThat(plan.cudaHome()).hasValue("/usr/local/cuda-12.8");
    assertThat(plan.environment()).isEmpty();
    assertThat(plan.logFile()).isEqualTo("/root/eagle3-train/extract_debug.log");
    assertThat(plan.clearGpus().word()).isEqualTo("all");
    assertThat(plan.setup()).isEmpty();
    assertThat(plan.wrap()).isEmpty();
    assertThat(notes(made))
        .anyMatch(note -> note.startsWith("translated: fuser -k /dev/nvidia*"))
        .anyMatch(note -> note.startsWith("left out: sleep 3: "))
        .anyMatch(note -> note.startsWith("translated: rm -rf /root/eagle3-train/data_test/"))
        .hasSize(3);
    assertThat(made.yaml()).doesNotContain("rm -rf").doesNotContain("sleep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "nohup %s > /l/x.log 2>&1 &",
        "ssh me@gpu7 '%s'",
        "ssh me@gpu7 \"nohup sh -c '%s' &> /l/x.log &\"",
        "ssh -tt -o BatchMode=yes me@gpu7 -- 'bash -lc \"%s\" 2>&1 | tee -a /l/x.log'",
        "ssh bastion \"ssh me@gpu7 'setsid nohup %s >> /l/x.log 2>&1 < /dev/null &'\"",
        "ssh me@gpu7 bash -s <<'EOF'\n%s > /l/x.log\nEOF\n",
        "ssh me@gpu7 <<EOF\n%s > /l/x.log\nEOF\n",
        "tmux new-session -d -s x '%s'",
        "screen -dmS x bash -c '%s'",
        "(cd / && %s) > /l/x.log",
        "{ %s; } > /l/x.log; tail -f /l/x.log",
        "$ %s   # as it was copied",
        "%s || echo failed",
        "mkdir -p /data; %s & disown; wait",
        "exec time %s",
        "bash -euo pipefail -c '%s'",
        "env -u FOO %s"
      })
  void whateverIsAroundIt(String around) {
    ExtractionPlan plan = plan(read(around.replace("%s", JOB)));

    assertThat(plan.python()).isEqualTo("/env/bin/python3");
    assertThat(plan.script()).isEqualTo("/s/x.py");
    assertThat(String.join(" ", plan.scriptArguments())).isEqualTo(ARGUMENTS);
    assertThat(plan.wrap()).isEmpty();
    assertThat(plan.cudaHome()).isEmpty();
    if (around.contains("me@gpu7")) {
      assertThat(plan.host()).isEqualTo("me@gpu7");
    }
    assertThat(plan.logFile())
        .isEqualTo(around.contains("/l/x.log") ? "/l/x.log" : "/data/extract.log");
  }

  @Test
  void lineContinuationsAndWindowsLineEndsAreNoMatter() {
    String line = JOB.replace(" --", " \\\r\n  --");

    assertThat(String.join(" ", plan(read(line)).scriptArguments())).isEqualTo(ARGUMENTS);
  }

  @Test
  void variablesBecomeKeysAndEnvironment() {
    ExtractionPlan plan =
        plan(
            read(
                "export NCCL_DEBUG=INFO 'A'=b; CUDA_VISIBLE_DEVICES=4,5 env CUDA_HOME=/c"
                    + " MESSAGE=\"it's \\\"a\\\" \\$b\" EMPTY= /env/bin/python3 -u -X faulthandler"
                    + " /s/x.py "
                    + ARGUMENTS));

    assertThat(plan.gpus()).containsExactly(4, 5);
    assertThat(plan.cudaHome()).hasValue("/c");
    assertThat(plan.environment())
        .isEqualTo(
            Map.of(
                "NCCL_DEBUG", "INFO",
                "A", "b",
                "MESSAGE", "it's \"a\" $b",
                "EMPTY", "",
                "PYTHONFAULTHANDLER", "1"));
  }

  @Test
  void relativePathsAreThoseOfTheFolderThatTheLineEnters() {
    LaunchProfile made =
        read(
            "cd /root/train && nohup /env/bin/python3 ./x.py --model-path ../m --prepared-data"
                + " data/t.jsonl --output-dir out --layer-ids 1,2 > logs/x.log &");

    ExtractionPlan plan = plan(made);
    assertThat(plan.script()).isEqualTo("/root/train/x.py");
    assertThat(plan.modelPath()).isEqualTo("/root/train/../m");
    assertThat(plan.outputDir()).isEqualTo("/root/train/out");
    assertThat(plan.logFile()).isEqualTo("/root/train/logs/x.log");
    assertThat(plan.setup()).containsExactly("cd /root/train");
  }

  @Test
  void whatSetsUpTheShellIsKeptInSetup() {
    ExtractionPlan plan =
        plan(
            read(
                "module load cuda/12.8 && source /root/venv/bin/activate && export"
                    + " LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH && ulimit -n 65536; python /s/x.py "
                    + ARGUMENTS));

    assertThat(plan.python()).isEqualTo("/root/venv/bin/python");
    assertThat(plan.setup())
        .containsExactly(
            "module load cuda/12.8",
            "source /root/venv/bin/activate",
            "export LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH",
            "ulimit -n 65536");
  }

  @Test
  void whatMayFailInTheLineMayFailInSetup() {
    assertThat(plan(read("mkdir /x; touch /y && module load z; a | b; " + JOB)).setup())
        .containsExactly("mkdir /x || :", "touch /y", "module load z", "a | b || :");
  }

  @Test
  void whatOnlyTheHostKnowsIsToBeFilledInAndNeverGuessed() {
    String line =
        "ssh root@gpu7 'cd ~/train && conda activate ml && python x.py --model-path $MODELS/kimi"
            + " --prepared-data d.jsonl --output-dir /o/out --layer-ids 2 --cache-dir"
            + " \"$SCRATCH/c\"'";
    LaunchProfile made = read(line);

    assertThat(notes(made))
        .contains(
            "to fill in: model-path: $MODELS/kimi: only the host knows $MODELS; --model-path /PATH,"
                + " or --set MODELS=VALUE")
        .anyMatch(note -> note.startsWith("to fill in: python: python: only the host knows"))
        .anyMatch(note -> note.startsWith("to fill in: script: x.py: is relative to a folder"))
        .anyMatch(note -> note.startsWith("kept as an argument of the script: --cache-dir"));
    assertThat(made.yaml()).contains("set -- \"$@\" --cache-dir \"$SCRATCH/c\"");
    assertThatThrownBy(() -> plan(made))
        .isInstanceOfSatisfying(
            Failures.class,
            missing ->
                assertThat(missing.failures())
                    .hasSize(4)
                    .allSatisfy(one -> assertThat(one.problem()).contains("is missing")));

    LaunchProfile filled =
        LaunchLineReader.read(
            line,
            List.of(BuiltInExtractors.named("speculators-0.4")),
            Map.of("HOME", "/root", "MODELS", "/models"),
            Map.of("python", List.of("/conda/bin/python")));
    ExtractionPlan plan = plan(filled);
    assertThat(plan.script()).isEqualTo("/root/train/x.py");
    assertThat(plan.modelPath()).isEqualTo("/models/kimi");
    assertThat(plan.python()).isEqualTo("/conda/bin/python");
    assertThat(notes(filled)).noneMatch(note -> note.startsWith("to fill in"));
  }

  @Test
  void variablesOfTheLineAreFilledInWhereTheLineUsesThem() {
    ExtractionPlan plan =
        plan(
            read(
                "OUT=/data/hs; M=/m/kimi\nssh gpu7 \"/env/bin/python3 /s/x.py --model-path $M"
                    + " --prepared-data /d.jsonl --output-dir ${OUT}/a --layer-ids 2\""));

    assertThat(plan.modelPath()).isEqualTo("/m/kimi");
    assertThat(plan.outputDir()).isEqualTo("/data/hs/a");
  }

  @Test
  void wrappersStandBeforeTheInterpreter() {
    assertThat(plan(read("timeout 3h nice -n 5 numactl --interleave=all " + JOB)).wrap())
        .containsExactly("timeout", "3h", "nice", "-n", "5", "numactl", "--interleave=all");
    assertThat(plan(read("srun --gres=gpu:8 " + JOB)).wrap())
        .containsExactly("srun", "--gres=gpu:8");
    assertThat(
            plan(read(
                    "apptainer exec --nv /img.sif bash -c 'cd /w && module load x && " + JOB + "'"))
                .wrap())
        .containsExactly(
            "apptainer",
            "exec",
            "--nv",
            "/img.sif",
            "bash",
            "-c",
            "cd /w && module load x && exec \"$@\"",
            "bash");
  }

  @Test
  void aContainerThatIsThereIsTheHost() {
    LaunchProfile made =
        read(
            "ssh -J jump -p 23 me@gpu7 'docker exec -it -u root -e A=b -e HF_TOKEN=sesame -w /w"
                + " box bash -c \"module load x && "
                + JOB.replace("/s/x.py", "x.py")
                + " > l.log\" > /outside.log'");

    Profile profile = profile(made.yaml());
    assertThat(profile.via())
        .hasValue("ssh -J jump ssh://me@gpu7:23 'docker exec -i -u root box sh'");
    ExtractionPlan plan = plan(made);
    assertThat(plan.wrap()).isEmpty();
    assertThat(plan.script()).isEqualTo("/w/x.py");
    assertThat(plan.logFile()).isEqualTo("/w/l.log");
    assertThat(plan.environment()).isEqualTo(Map.of("A", "b"));
    assertThat(plan.environmentByName()).containsExactly("HF_TOKEN");
    assertThat(plan.setup()).containsExactly("cd /w", "module load x");
    assertThat(made.yaml()).doesNotContain("sesame");

    Profile pod = profile(read("kubectl exec -it -n ml pod-0 -c train -- " + JOB).yaml());
    assertThat(pod.via()).hasValue("kubectl exec -i -n ml pod-0 -c train -- sh");
    assertThat(pod.host()).hasValue("pod-0");
    assertThat(profile(read("docker run --gpus all img " + JOB).yaml()).wrap())
        .containsExactly("docker", "run", "--gpus", "all", "img");
  }

  @Test
  void launchersOfSeveralProcessesTakeTheInterpreterFromTheirWords() {
    ExtractionPlan torchrun =
        plan(read("/env/bin/torchrun --nproc_per_node=8 --nnodes 1 /s/x.py " + ARGUMENTS));
    assertThat(torchrun.wrap())
        .containsExactly("/env/bin/torchrun", "--nproc_per_node=8", "--nnodes", "1", "--no-python");
    assertThat(torchrun.python()).isEqualTo("/env/bin/python");
    assertThat(String.join(" ", torchrun.scriptArguments())).isEqualTo(ARGUMENTS);

    assertThat(
            plan(read(
                    "/env/bin/python -m torch.distributed.run --nproc-per-node 2 /s/x.py "
                        + ARGUMENTS))
                .wrap())
        .containsExactly(
            "/env/bin/python",
            "-m",
            "torch.distributed.run",
            "--nproc-per-node",
            "2",
            "--no-python");
    assertThat(plan(read("/env/bin/accelerate launch --multi_gpu /s/x.py " + ARGUMENTS)).wrap())
        .containsExactly("/env/bin/accelerate", "launch", "--multi_gpu", "--no_python");
  }

  @Test
  void flagsThatTheLineDoesNotGiveAreNotGivenToTheScript() {
    LaunchProfile made =
        read(
            "/env/bin/python3 /s/x.py --model-path /m --prepared-data /d --output-dir /a/o"
                + " --layer-ids 2 --seed 1 --name 'a b' -v");

    assertThat(plan(made).scriptArguments())
        .containsExactly(
            "--model-path",
            "/m",
            "--prepared-data",
            "/d",
            "--output-dir",
            "/a/o",
            "--layer-ids",
            "2",
            "--seed",
            "1",
            "--name",
            "a b",
            "-v");
    assertThat(notes(made))
        .contains(
            "kept as an argument of the script: --seed 1",
            "kept as an argument of the script: --name 'a b'",
            "kept as an argument of the script: -v");
  }

  @Test
  void flagsOfOtherNamesReachTheScriptAsTheyAreAndTellEagle3TheSame() {
    LaunchProfile made =
        read(
            "/env/bin/torchrun --nproc_per_node=8 /s/make_features.py --strategy eagle3"
                + " --target-model-name-or-path /m --dataset-path /d.jsonl --outdir /o/hs"
                + " --seq-length 4096 --tp 1 --local-batch-size 32 --capture-layers 1,29,57");

    ExtractionPlan plan = plan(made);
    assertThat(profile(made.yaml()).extractor()).isEqualTo("speculators-0.4");
    assertThat(plan.modelPath()).isEqualTo("/m");
    assertThat(plan.outputDir()).isEqualTo("/o/hs");
    assertThat(plan.maxSeqLen()).isEqualTo(4096);
    assertThat(plan.layers()).containsExactly(1, 29, 57);
    assertThat(String.join(" ", plan.scriptArguments()))
        .isEqualTo(
            "--strategy eagle3 --target-model-name-or-path /m --dataset-path /d.jsonl --outdir"
                + " /o/hs --seq-length 4096 --tp 1 --local-batch-size 32 --capture-layers"
                + " 1,29,57");
  }

  @Test
  void aScriptOfAnotherToolIsTakenForItsExtractor() {
    LaunchProfile made =
        read(
            "/env/bin/torchrun --nproc_per_node=8 /s/prepare_hidden_states.py --strategy eagle3"
                + " --target-model-path /m --data-path /d.jsonl --output-path /o/hs --max-length"
                + " 4096 --tp-size 1 --batch-size 32 --layers 1,29,57");

    assertThat(profile(made.yaml()).extractor()).isEqualTo("specforge");
    assertThat(String.join(" ", plan(made).scriptArguments()))
        .isEqualTo(
            "--target-model-path /m --data-path /d.jsonl --output-path /o/hs --batch-size 32"
                + " --max-length 4096 --tp-size 1 --strategy eagle3 --layers 1,29,57");
  }

  @Test
  void nothingDestructiveIsInTheProfile() {
    LaunchProfile made =
        read(
            "pkill -9 -f vllm; ps aux | grep VLLM | awk '{print $2}' | xargs kill -9; fuser -k"
                + " /dev/nvidia0; rm -rf /other/* && find /x -delete; nvidia-smi | cat; dd"
                + " if=/dev/zero of=/y; (cd /z; rm a); mv /a /b; "
                + JOB
                + "; rm -rf /data/out/*");

    assertThat(plan(made).setup()).isEmpty();
    assertThat(made.yaml())
        .doesNotContain("kill")
        .doesNotContain("rm ")
        .doesNotContain("-delete")
        .contains("clear-gpus: safe")
        .contains("previous-output: set-aside");
    assertThat(notes(made).stream().filter(note -> note.startsWith("left out: "))).hasSize(10);
  }

  @Test
  void secretsAreNeitherWrittenNorShown() {
    LaunchProfile made =
        read(
            "export HF_TOKEN=hf_sesame1 WANDB_API_KEY='sesame 2' && hf login --token sesame3;"
                + " sshpass -p sesame4 ssh -o X=y h \"AWS_SECRET=sesame5 OPENAI_API_KEY=$K"
                + " /env/bin/python3 /s/x.py --api-key sesame6 --password=sesame7 --token a sesame8"
                + " "
                + ARGUMENTS
                + "\"");

    assertThat(made.yaml() + notes(made)).doesNotContain("sesame");
    ExtractionPlan plan = plan(made);
    assertThat(plan.environmentByName()).contains("AWS_SECRET", "OPENAI_API_KEY", "API_KEY");
    assertThat(plan.setup())
        .contains(
            "set -- \"$@\" --api-key \"${API_KEY:?is not set on this host}\"",
            "set -- \"$@\" --password=\"${PASSWORD:?is not set on this host}\"");
    assertThat(made.isPrivate()).isTrue();
  }

  @Test
  void howTheHostIsReachedIsKept() {
    LaunchProfile made = read("ssh -p 2222 -l me -i ~/.ssh/k -J jump gpu7 '" + JOB + "'");

    assertThat(plan(made).host()).isEqualTo("me@gpu7:2222");
    assertThat(made.yaml()).contains("# Reached with ssh -i ~/.ssh/k -J jump");
    assertThat(plan(read("ssh ssh://me@[fe80::1]:22/ '" + JOB + "'")).host())
        .isEqualTo("me@[fe80::1]");
    assertThat(plan(read("ssh -p 23 fe80::1 '" + JOB + "'")).host()).isEqualTo("[fe80::1]:23");
    assertThat(notes(read("ssh $BOX '" + JOB + "'")))
        .anyMatch(note -> note.startsWith("to fill in: host: $BOX"));
  }

  @Test
  void flagsOfTheCommandLineHoldOverTheLine() {
    LaunchProfile made =
        LaunchLineReader.read(
            "A=b " + JOB + " --seed 1",
            List.of(BuiltInExtractors.named("speculators-0.4")),
            Map.of(),
            Map.of(
                "host", List.of("me@gpu7"),
                "tp-size", List.of("4"),
                "layers", List.of("5", "6"),
                "state-dir", List.of("/state"),
                "gpus", List.of("0,1,2,3"),
                "env", List.of("C=d", "E"),
                "args", List.of("--more", "x y")));

    ExtractionPlan plan = plan(made);
    assertThat(plan.host()).isEqualTo("me@gpu7");
    assertThat(plan.tpSize()).isEqualTo(4);
    assertThat(plan.layers()).containsExactly(5, 6);
    assertThat(plan.gpus()).containsExactly(0, 1, 2, 3);
    assertThat(plan.stateDir()).hasValue("/state");
    assertThat(plan.environment()).isEqualTo(Map.of("A", "b", "C", "d"));
    assertThat(plan.environmentByName()).containsExactly("E");
    assertThat(plan.scriptArguments()).endsWith("5", "6", "--seed", "1", "--more", "x y");
  }

  @Test
  void ofSeveralProgramsTheOneWithTheKnownFlagsIsTheJob() {
    LaunchProfile made =
        read(
            "/env/bin/python3 /s/prepare.py --seed 1 && "
                + JOB
                + " && /env/bin/python3 /s/after.py");

    ExtractionPlan plan = plan(made);
    assertThat(plan.script()).isEqualTo("/s/x.py");
    assertThat(plan.setup()).containsExactly("/env/bin/python3 /s/prepare.py --seed 1");
    assertThat(notes(made)).anyMatch(note -> note.contains("after.py: it comes after the job"));
  }

  @Test
  void aLogInTheOutputFolderIsPutBesideIt() {
    assertThat(plan(read(JOB + " > /data/out/x.log")).logFile()).isEqualTo("/data/extract.log");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ls -la", "python3 -c 'print(1)'", "ssh h", "echo python3 x.py", "#"})
  void aLineThatLaunchesNothingIsRefused(String line) {
    assertThatThrownBy(() -> read(line))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.USAGE);
              assertThat(failure.problem()).startsWith("launches nothing");
            });
  }

  @Test
  void shellsInsideEachOtherEndSomewhere() {
    String line = "x";
    for (int level = 0; level < 20; level++) {
      line = "bash -c " + Scene.quoted(line);
      if (line.length() > 50_000) {
        break;
      }
    }
    String deep = line;
    assertThatThrownBy(() -> read(deep)).isInstanceOf(Failure.class);
  }

  @Test
  void whateverALineHoldsTheProfileCanBeRead() {
    String[] pieces = {
      "'a b'",
      "\"$X\"",
      "é",
      "--flag=",
      "--x",
      "\\'",
      "a:b",
      ": ",
      "#",
      "- ",
      "{a}",
      "[b]",
      "@c",
      "true",
      "null",
      "1e5",
      "0x1F",
      "012",
      "~",
      "%",
      "'\n'",
      "\"\t\"",
      "-",
      "--",
      "*",
      "?",
      "&&",
      "|",
      ">",
      ";",
      "日本",
      "😀",
      "A=b",
      "$(x)",
      "yes",
      "!tag",
      "&anchor",
      "'*alias'"
    };
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      StringBuilder line = new StringBuilder(JOB);
      for (int count = random.nextInt(8); count > 0; count--) {
        line.append(random.nextInt(3) == 0 ? "" : " ")
            .append(pieces[random.nextInt(pieces.length)]);
      }
      try {
        String yaml = read(line.toString()).yaml();
        assertThat(ProfileReader.read(yaml, "made").problems()).as("%s\n%s", line, yaml).isEmpty();
      } catch (Failure refused) {
        assertThat(refused.exit()).isEqualTo(Exit.USAGE);
      }
    }
  }

  @Test
  void theStarterIsAProfileWithTheValuesThatWereGiven() {
    String yaml =
        StarterWriter.write(
            Map.of(
                "host", List.of("me@gpu7"),
                "layers", List.of("1", "2"),
                "env", List.of("A=b c", "D"),
                "tp-size", List.of("4")));

    Profile profile = profile(yaml);
    assertThat(profile.host()).hasValue("me@gpu7");
    assertThat(profile.layers()).containsExactly(1, 2);
    assertThat(profile.tpSize()).isEqualTo(4);
    assertThat(profile.env()).isEqualTo(Map.of("A", Optional.of("b c"), "D", Optional.empty()));
    assertThat(ProfileReader.read(StarterWriter.write(Map.of()), "x").problems()).isEmpty();
    String uncommented =
        StarterWriter.write(Map.of("tp-size", List.of("4")))
            .replaceAll("(?m)^# ((?:host|env|gpus|setup|wrap|flags): )", "$1");
    assertThat(profile(uncommented).gpus()).hasSize(4);
  }

  private static LaunchProfile read(String line) {
    return LaunchLineReader.read(line, BuiltInExtractors.usualFirst(), Map.of(), Map.of());
  }

  private static List<String> notes(LaunchProfile made) {
    return made.notes().stream().map(LineNote::text).toList();
  }

  private static Profile profile(String yaml) {
    return ProfileResolver.resolve(
        List.of(
            ProfileReader.read(yaml, "made.yaml"), BuiltInProfiles.named(BuiltInProfiles.DEFAULT)));
  }

  private static ExtractionPlan plan(LaunchProfile made) {
    Profile profile =
        ProfileResolver.resolve(
            List.of(
                ProfileReader.read(made.yaml(), "made.yaml"),
                FlagReader.environment(Map.of("EAGLE3_HOST", "default")),
                BuiltInProfiles.named(BuiltInProfiles.DEFAULT)));
    return Planner.plan(
        profile, BuiltInExtractors.named(profile.extractor()), new RunId("20261129-170512-1a2b"));
  }
}
