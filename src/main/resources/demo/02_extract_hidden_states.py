#!/usr/bin/env python3
"""A stand-in for an EAGLE-3 extraction script: same flags, log lines and files, no model, no GPU.

It takes the flags of the real script, reads the prepared samples, prints what the real program
(speculators 0.4 on vLLM) prints while it loads 119 shards and works through its batches, and saves
`data_N.pt` files in the layout of torch.save: one dict of input_ids [T], a list of hidden states
[T, H] bfloat16 for each layer, and loss_mask [T]. The values are noise: nothing was extracted.
Python 3.8, standard library only.

Set by the environment, since the flags are the real ones:
  EAGLE3_STAND_IN_FAULT    layers.reply-unwrapped: the first layer is taken for the reply of the
                           workers, as a half-ported speculators 0.3 does on a newer vLLM
                           run.stalled: hangs after its first batch
                           gpu.out-of-memory, model.shard-broken, run.worker-died, run.killed,
                           run.wrong-flag, host.disk-full, samples.skipped: ends as the failure of
                           that name in docs/failures.md does
                           layers.CAUSE, set.CAUSE, tokens.CAUSE, values.CAUSE: files as the cause
                           of that name in docs/causes.md leaves them
                           log.replaced, log.unreadable: something else is put where the log is
  EAGLE3_STAND_IN_DEVICES  folder of stand-in devices nvidia0..7 that the workers hold (default:
                           none are held)
  EAGLE3_STAND_IN_PACE     seconds a shard takes to load (default 0.01); a batch takes ten times that
  EAGLE3_STAND_IN_BATCH_SECONDS  seconds a batch after the first takes, if another number
  EAGLE3_STAND_IN_WRITE_SECONDS  seconds that writing a file takes (default 0)
  EAGLE3_STAND_IN_CUT      numbers of samples that are saved half: 0,3
  EAGLE3_STAND_IN_ORPHANS  1: workers outlive their parent, as vLLM's do after kill -9
"""

import argparse
import errno
import json
import mmap
import os
import random
import signal
import struct
import sys
import time
import zlib

SHARDS = 119
VOCABULARY = 163840


def parse_arguments():
    parser = argparse.ArgumentParser(description="stand-in for hidden-state extraction")
    parser.add_argument("--model-path", required=True)
    parser.add_argument("--prepared-data", required=True)
    parser.add_argument("--output-dir", required=True)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--max-seq-len", type=int, default=2048)
    parser.add_argument("--tp-size", type=int, default=8)
    parser.add_argument("--gpu-memory-utilization", type=float, default=0.8)
    parser.add_argument("--layer-ids", type=int, nargs="+")
    arguments = parser.parse_args()
    if os.environ.get("EAGLE3_STAND_IN_FAULT") == "run.wrong-flag":
        parser.error("unrecognized arguments: --tensor-parallel-size 8")
    return arguments


# ---------------------------------------------------------------- log, as the real program prints


def stamp():
    now = time.time()
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now)) + ",%03d" % (now % 1 * 1000)


def log(text, level="INFO"):
    print("%s - data_generation - %s -   %s" % (stamp(), level, text), flush=True)


def section(title):
    line = "\u2501" * 60
    print("\n%s - data_generation - INFO - %s" % (stamp(), line), flush=True)
    print("%s - data_generation - INFO - %s" % (stamp(), title), flush=True)
    print("%s - data_generation - INFO - %s" % (stamp(), line), flush=True)


def worker_log(rank, pid, text, level="INFO", source="multiproc_executor.py:707"):
    when = time.strftime("%m-%d %H:%M:%S")
    print("(Worker_TP%d pid=%d) %s %s [%s] %s" % (rank, pid, level, when, source, text), flush=True)


def bar(done, total, width=10):
    full = done * width // max(1, total)
    return "\u2588" * full + " " * (width - full)


def clock(seconds):
    return "%02d:%02d" % (int(seconds) // 60, int(seconds) % 60)


# ---------------------------------------------------------------- workers


def hold_device(devices, rank):
    """Opens every device, as CUDA does, and maps the one in use."""
    held = []
    for name in sorted(os.listdir(devices)):
        if name.startswith("nvidia"):
            held.append(open(os.path.join(devices, name), "r+b"))
    own = open(os.path.join(devices, "nvidia%d" % rank), "r+b")
    held.append(own)
    if os.fstat(own.fileno()).st_size == 0:
        own.truncate(mmap.PAGESIZE)
    held.append(mmap.mmap(own.fileno(), mmap.PAGESIZE))
    return held


def start_workers(count, devices):
    """One process a GPU. It ends when its parent ends, unless orphans are asked for."""
    workers = []
    alive_read, alive_write = os.pipe()
    for rank in range(count):
        pid = os.fork()
        if pid == 0:
            os.close(alive_write)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            held = hold_device(devices, rank) if devices else []
            if os.environ.get("EAGLE3_STAND_IN_ORPHANS") == "1":
                while held is not None:
                    signal.pause()
            os.read(alive_read, 1)
            os._exit(0)
        workers.append(pid)
    os.close(alive_read)
    return workers, alive_write


def stop_workers(workers, alive_write):
    for rank, pid in enumerate(workers):
        worker_log(rank, pid, "Parent process exited, terminating worker")
        os.kill(pid, signal.SIGTERM)
    os.close(alive_write)
    for pid in workers:
        os.waitpid(pid, 0)


# ---------------------------------------------------------------- files, as torch.save writes them


class Pickle:
    """Just enough of pickle protocol 2, with the opcodes and memo numbers of torch.save."""

    def __init__(self):
        self.out = bytearray(b"\x80\x02")
        self.memo = {}
        self.count = 0

    def put(self, key=None):
        number = self.count
        self.count += 1
        self.out += b"q" + bytes([number]) if number < 256 else b"r" + struct.pack("<I", number)
        if key is not None:
            self.memo[key] = number

    def get(self, key):
        number = self.memo[key]
        self.out += b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number)

    def text(self, value):
        if ("text", value) in self.memo:
            self.get(("text", value))
            return
        raw = value.encode("utf-8")
        self.out += b"X" + struct.pack("<I", len(raw)) + raw
        self.put(("text", value))

    def named(self, module, name):
        if ("global", module, name) in self.memo:
            self.get(("global", module, name))
            return
        self.out += b"c" + module.encode() + b"\n" + name.encode() + b"\n"
        self.put(("global", module, name))

    def number(self, value):
        if value < 256:
            self.out += b"K" + bytes([value])
        elif value < 65536:
            self.out += b"M" + struct.pack("<H", value)
        elif value < 2**31:
            self.out += b"J" + struct.pack("<i", value)
        else:
            raw = value.to_bytes(value.bit_length() // 8 + 1, "little")
            self.out += b"\x8a" + bytes([len(raw)]) + raw

    def numbers(self, values):
        for value in values:
            self.number(value)
        if values:
            self.out += [b"\x85", b"\x86", b"\x87"][len(values) - 1]
            self.put()
        else:
            self.out += b")"

    def tensor(self, key, storage_class, shape, count):
        """A tensor of this shape at the start of a storage of count elements."""
        stride = [1] * len(shape)
        for axis in range(len(shape) - 2, -1, -1):
            stride[axis] = stride[axis + 1] * shape[axis + 1]
        self.named("torch._utils", "_rebuild_tensor_v2")
        self.out += b"(("
        self.text("storage")
        self.named("torch", storage_class)
        self.text(key)
        self.text("cpu")
        self.number(count)
        self.out += b"t"
        self.put()
        self.out += b"Q"
        self.number(0)
        self.numbers(shape)
        self.numbers(stride)
        self.out += b"\x89"
        self.named("collections", "OrderedDict")
        self.out += b")R"
        self.put()
        self.out += b"t"
        self.put()
        self.out += b"R"
        self.put()


class TorchZip:
    """The ZIP of torch.save: stored, data descriptors, data at multiples of 64, zip64 trailer."""

    def __init__(self, path, prefix):
        self.file = open(path, "wb")
        self.prefix = prefix
        self.directory = []

    def entry(self, name, data):
        raw = (self.prefix + "/" + name).encode("utf-8")
        start = self.file.tell()
        padding = -(start + 30 + len(raw) + 4) % 64
        crc = zlib.crc32(data)
        self.file.write(
            struct.pack("<IHHHHHIIIHH", 0x04034B50, 0, 0x0808, 0, 0, 0, 0, 0, 0, len(raw), 4 + padding)
        )
        self.file.write(raw + struct.pack("<2sH", b"FB", padding) + b"Z" * padding)
        self.file.write(data)
        if data:
            self.file.write(struct.pack("<IIII", 0x08074B50, crc, len(data), len(data)))
        self.directory.append((raw, start, crc if data else 0, len(data)))

    def close(self, identity):
        self.entry("version", b"3\n")
        self.entry(".data/serialization_id", identity)
        start = self.file.tell()
        for raw, offset, crc, size in self.directory:
            flags = 0x0808 if size else 0x0800
            self.file.write(
                struct.pack(
                    "<IHHHHHHIIIHHHHHII",
                    0x02014B50, 0, 0, flags, 0, 0, 0, crc, size, size, len(raw), 0, 0, 0, 0, 0, offset,
                )
                + raw
            )
        end = self.file.tell()
        count = len(self.directory)
        size = end - start
        self.file.write(
            struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 0x1E, 0x2D, 0, 0, count, count, size, start)
        )
        self.file.write(struct.pack("<IIQI", 0x07064B50, 0, end, 1))
        few = min(count, 0xFFFF)
        self.file.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, few, few, size, start, 0))
        self.file.close()


def save_sample(path, input_ids, layers, loss_mask, sizes=None, dtype="BFloat16"):
    """layers: a list of (shape, bytes), or one such pair; sizes: of ids and mask, if not [tokens].

    Where there are more bytes than the shape needs, the tensor is a view of a larger storage.
    """
    ids = struct.pack("<%dq" % len(input_ids), *input_ids)
    mask = struct.pack("<%dq" % len(loss_mask), *loss_mask)
    pickle = Pickle()
    storages = []

    def tensor(storage_class, shape, data):
        width = 8 if storage_class == "LongStorage" else 2
        pickle.tensor(str(len(storages)), storage_class, shape, len(data) // width)
        storages.append(data)

    pickle.out += b"}"
    pickle.put()
    pickle.out += b"("
    pickle.text("input_ids")
    tensor("LongStorage", sizes or [len(input_ids)], ids)
    pickle.text("hidden_states")
    if isinstance(layers, tuple):
        tensor(dtype + "Storage", *layers)
        layers = []
    else:
        pickle.out += b"]"
        pickle.put()
    for first in range(0, len(layers), 1000):
        pickle.out += b"("
        for shape, data in layers[first : first + 1000]:
            tensor(dtype + "Storage", shape, data)
        pickle.out += b"e"
    pickle.text("loss_mask")
    tensor("LongStorage", sizes or [len(loss_mask)], mask)
    pickle.out += b"u."

    archive = TorchZip(path, os.path.splitext(os.path.basename(path))[0])
    archive.entry("data.pkl", bytes(pickle.out))
    archive.entry(".format_version", b"1")
    archive.entry(".storage_alignment", b"64")
    archive.entry("byteorder", b"little")
    seconds = float(os.environ.get("EAGLE3_STAND_IN_WRITE_SECONDS", "0"))
    for number, data in enumerate(storages):
        archive.entry("data/%d" % number, data)
        if seconds:
            archive.file.flush()
            time.sleep(seconds / len(storages))
    archive.close(b"%040d" % (zlib.crc32(ids) % 10**10))


# ---------------------------------------------------------------- what stands for the model

# High bytes of bfloat16 numbers between about 0.03 and 8, of both signs.
HIGH_BYTES = bytes((0x3D + byte % 4) | (byte & 0x80) for byte in range(256))


def noise(chance, values):
    """bfloat16 noise, little-endian."""
    raw = chance.getrandbits(16 * values).to_bytes(2 * values, "little") if values else b""
    data = bytearray(2 * values)
    data[0::2] = raw[:values]
    data[1::2] = raw[values:].translate(HIGH_BYTES)
    return data


def capture(lengths, hidden_size, layer_ids, seed):
    """What the workers return for a batch: for each layer the states of all its tokens, in order."""
    tokens = sum(lengths)
    return [noise(random.Random(seed * 1000 + layer), tokens * hidden_size) for layer in layer_ids]


CHUNK = 64
CACHE_BLOCK = 16
GENERATED = 20


def rows_saved(fault, number, length, lengths, ranks):
    """How many rows a sample of a batch is saved with; length when nothing is wrong."""
    if fault == "tokens.split-over-ranks":
        return (length + ranks - 1) // ranks
    if fault == "tokens.last-chunk-only":
        return (length - 1) % CHUNK + 1
    if fault == "tokens.first-chunk-only":
        return min(length, CHUNK)
    if fault == "tokens.last-token-only":
        return 1
    if fault == "tokens.generated-included":
        return length + GENERATED
    if fault == "tokens.padded-to-graph-size":
        return (length + 7) // 8 * 8
    if fault == "tokens.padded-to-batch":
        return max(lengths)
    if fault == "set.batch-not-split":
        return sum(lengths)
    if fault == "tokens.recomputed":
        return 2 * length if number % 3 == 1 else length
    if fault == "tokens.prefix-cached":
        return length - CACHE_BLOCK if number > 0 and length > CACHE_BLOCK else length
    return length


def with_rows(data, rows, row, from_end):
    """So many rows of a sample: its first, or its last; zeros where it has no more."""
    if rows * row >= len(data):
        return bytes(data) + bytes(rows * row - len(data))
    return bytes(data[len(data) - rows * row :] if from_end else data[: rows * row])


def unpack(captured, lengths, hidden_size, fault, number, ranks):
    """The layers of each sample of a batch; number is that of its first sample."""
    samples = []
    first = 0
    from_end = fault in ("tokens.last-chunk-only", "tokens.last-token-only", "tokens.prefix-cached")
    for index, length in enumerate(lengths):
        row = 2 * hidden_size
        if fault == "layers.reply-unwrapped":
            # reply[0] of a reply that was unwrapped already: the rows of the first layer stand
            # where layers should, and slicing the tokens slices the hidden dimension.
            rows = len(captured[0]) // row
            width = max(0, min(length, hidden_size - first))
            layers = []
            for index in range(rows):
                start = index * row + 2 * first
                layers.append(([width], bytes(captured[0][start : start + 2 * width])))
        elif fault == "layers.hidden-split":
            part = hidden_size // ranks
            starts = range(first * row, (first + length) * row, row)
            layers = [([length, part], b"".join(bytes(layer[start : start + 2 * part])
                                                for start in starts)) for layer in captured]
        else:
            span = slice(first * row, (first + length) * row)
            rows = rows_saved(fault, number + index, length, lengths, ranks)
            layers = [([rows, hidden_size], with_rows(layer[span], rows, row, from_end))
                      for layer in captured]
        samples.append(layers)
        first += length
    return samples


LATENT = 512
INFINITY = b"\x00\x7c"


def misshape(fault, layers, lengths, ids):
    """What a sample's layers [tokens, hidden] become where each file shows the fault by itself."""
    tokens = len(ids)
    width = layers[0][0][-1]
    longest = max(lengths)
    if fault == "layers.transposed":
        # The values are noise, and need not be turned as well.
        return [([width, tokens], data) for _, data in layers]
    if fault == "layers.batch-kept":
        return [([1, tokens, width], data) for _, data in layers]
    if fault == "layers.whole-batch":
        whole = [len(lengths), longest, width]
        return [(whole, with_rows(data, len(lengths) * longest, 2 * width, False))
                for _, data in layers]
    if fault == "layers.in-one-tensor":
        return ([len(layers), tokens, width], b"".join(bytes(data) for _, data in layers))
    if fault == "layers.doubled":
        return layers + layers
    if fault == "layers.other-tensor":
        return [([tokens, LATENT], bytes(data[: 2 * tokens * LATENT])) for _, data in layers]
    if fault == "layers.whole-storage":
        rows = 2 * longest + 1
        return [(shape, with_rows(data, rows, 2 * width, False)) for shape, data in layers]
    if fault == "layers.captured-twice":
        return [layers[0], layers[1], layers[1]] + layers[3:]
    if fault == "layers.embeddings-captured":
        rows = {token: bytes(noise(random.Random(token), width)) for token in set(ids)}
        return [([tokens, width], b"".join(rows[token] for token in ids))] + layers[1:]
    if fault == "values.never-written":
        written = bytes(layers[1][1][: 2 * width * (tokens * 2 // 3)])
        return [layers[0], (layers[1][0], with_rows(written, tokens, 2 * width, False))] + layers[2:]
    if fault == "values.dtype-overflow":
        data = bytearray(layers[2][1])
        for row in range(0, tokens, 2):
            data[2 * (row * width + 9) : 2 * (row * width + 10)] = INFINITY
        return layers[:2] + [(layers[2][0], data)] + layers[3:]
    return layers


def save_batch(path, rows, captured, lengths, hidden_size):
    """All samples of a batch in one file, padded to the longest: [samples, tokens, hidden]."""
    longest = max(lengths)
    row = 2 * hidden_size
    layers = []
    for layer in captured:
        data = b""
        first = 0
        for length in lengths:
            data += with_rows(layer[first * row : (first + length) * row], longest, row, False)
            first += length
        layers.append(([len(lengths), longest, hidden_size], data))
    ids = [token for tokens, _ in rows for token in tokens + [0] * (longest - len(tokens))]
    mask = [value for _, values in rows for value in values + [0] * (longest - len(values))]
    save_sample(path, ids, layers, mask, [len(lengths), longest])


def read_config(model_path):
    with open(os.path.join(model_path, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    return config.get("text_config", config)


def read_samples(path, most):
    samples = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                row = json.loads(line)
                ids = row["input_ids"][: most - 1]
                mask = row.get("loss_mask", [1] * len(ids))[: most - 1]
                samples.append((ids, mask))
    return samples


def load_shards(pace, last=SHARDS):
    started = time.time()
    for shard in range(last + 1):
        if shard:
            time.sleep(pace)
        took = time.time() - started
        left = took / max(1, shard) * (SHARDS - shard)
        rate = took / shard if shard else 0.0
        sys.stderr.write(
            "\rLoading safetensors checkpoint shards: %3d%% Completed | %d/%d [%s<%s, %5.2fs/it]"
            % (shard * 100 // SHARDS, shard, SHARDS, clock(took), clock(left) if shard else "?", rate)
        )
        sys.stderr.flush()
    sys.stderr.write("\n")
    return time.time() - started


VLLM = "/opt/stand-in/site-packages/vllm/"


def fail_worker(rank, workers, first, frames, exception):
    """The error of a worker as vLLM logs it: every line of the traceback with the level."""
    lines = [first, "Traceback (most recent call last):"]
    for place, number, function, source in frames:
        lines += ['  File "%s%s", line %d, in %s' % (VLLM, place, number, function), "    " + source]
    for line in lines + [exception]:
        worker_log(rank, workers[rank], line, "ERROR", "multiproc_executor.py:882")


def run_out_of_memory(workers):
    fail_worker(
        0, workers, "WorkerProc hit an exception.",
        [("v1/worker/gpu_worker.py", 321, "determine_available_memory",
          "self.model_runner.profile_run()")],
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total"
        " capacity of 94.97 GiB of which 1.31 GiB is free.")
    print("RuntimeError: Worker failed with error 'CUDA out of memory', please check the stack trace"
          " above for the root cause", flush=True)


def wait_for_reader(path):
    """Waits, half a minute at the most, until a tail follows the log."""
    wanted = os.fsencode(path)
    end = time.time() + 30
    while time.time() < end:
        follows = False
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue  # it has ended meanwhile
            follows |= os.path.basename(words[0]) == b"tail" and wanted in words
        if follows:
            return
        time.sleep(0.1)


def spoil_log(fault, pace):
    """Puts another file, or a folder, where the log is. What is printed now goes to the old one."""
    path = os.readlink("/proc/self/fd/1")
    if not os.path.isfile(path):
        return
    wait_for_reader(path)
    os.rename(path, path + ".moved")
    if fault == "log.unreadable":
        os.mkdir(path)
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write("somebody put another file here\n")
    time.sleep(pace * 100)


def find_broken_shard(workers):
    """Every worker reads every shard, so all of them fail; the first one says why."""
    for rank in range(len(workers)):
        fail_worker(
            rank, workers, "WorkerProc failed to start.",
            [("model_executor/model_loader/weight_utils.py", 712, "safetensors_weights_iterator",
              'with safe_open(st_file, framework="pt") as f:')],
            "safetensors_rust.SafetensorError: Error while deserializing header:"
            " MetadataIncompleteBuffer" if rank == 0 else "RuntimeError: cancelled")
    print("Exception: WorkerProc initialization failed due to an exception in a background process."
          " See stack trace for root cause.", flush=True)


def lose_worker(workers):
    rank = min(3, len(workers) - 1)
    os.kill(workers[rank], signal.SIGKILL)
    os.waitpid(workers[rank], 0)
    when = time.strftime("%m-%d %H:%M:%S")
    print("ERROR %s [multiproc_executor.py:284] Worker proc VllmWorker-%d died unexpectedly,"
          " shutting down executor." % (when, rank), flush=True)
    workers.pop(rank)
    raise RuntimeError("Executor failed.")


def run_out_of_disk(path):
    """Leaves a file that is cut in the middle."""
    with open(path, "r+b") as file:
        file.truncate(os.fstat(file.fileno()).st_size // 2)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


def next_index(folder):
    """One more than the highest number of a file there, as the real script goes on."""
    numbers = [name[len("data_") : -len(".pt")] for name in os.listdir(folder)
               if name.startswith("data_") and name.endswith(".pt")]
    return max([int(number) for number in numbers if number.isdigit()], default=-1) + 1


def main():
    arguments = parse_arguments()
    fault = os.environ.get("EAGLE3_STAND_IN_FAULT", "")
    pace = float(os.environ.get("EAGLE3_STAND_IN_PACE", "0.01"))
    config = read_config(arguments.model_path)
    hidden_size = config["hidden_size"]
    layers = config["num_hidden_layers"]
    layer_ids = sorted(set(arguments.layer_ids or [2, layers // 2, layers - 3, layers - 1]))
    # An id that the model does not have is passed over in silence.
    captured_ids = [layer for layer in layer_ids if layer < layers]

    log("This is a stand-in: no model is loaded, no GPU is used, the saved values are noise.")
    section("EAGLE Offline Data Generation")
    log("Initializing hidden states generator for %s" % arguments.model_path)
    log("Tensor parallel size: %d" % arguments.tp_size)
    log("Model has %d layers" % layers)
    log("Using specified layers: %s" % layer_ids)
    log("Initializing executor...")
    workers, alive = start_workers(arguments.tp_size, os.environ.get("EAGLE3_STAND_IN_DEVICES", ""))
    for rank, pid in enumerate(workers):
        worker_log(rank, pid, "world_size=%d rank=%d backend=nccl" % (len(workers), rank),
                   source="parallel_state.py:1208")
    sys.stderr.write("(Worker_TP0 pid=%d) " % workers[0])
    if fault == "model.shard-broken":
        load_shards(pace, last=SHARDS * 2 // 3)
        find_broken_shard(workers)
        stop_workers(workers, alive)
        return 1
    took = load_shards(pace)
    for rank, pid in enumerate(workers):
        worker_log(rank, pid, "Model loading took 70.9800 GiB memory and %.6f seconds" % took,
                   source="gpu_model_runner.py:2653")
    if fault == "gpu.out-of-memory":
        run_out_of_memory(workers)
        stop_workers(workers, alive)
        return 1
    if fault in ("log.replaced", "log.unreadable"):
        spoil_log(fault, pace)
    log("Setting up hidden states capture...")
    log("Hidden states capture setup complete for layers %s" % layer_ids)
    log("Creating scheduler...")
    log("Initializing KV cache on all workers...")

    samples = read_samples(arguments.prepared_data, arguments.max_seq_len)
    os.makedirs(arguments.output_dir, exist_ok=True)
    done = next_index(arguments.output_dir)
    if samples and done >= len(samples):
        log("All samples already processed!")
        stop_workers(workers, alive)
        return 0
    log("Processing %d/%d samples" % (len(samples) - done, len(samples)))
    samples = samples[done:]
    batches = (len(samples) + arguments.batch_size - 1) // arguments.batch_size
    stalls = fault == "run.stalled"
    batch_seconds = float(os.environ.get("EAGLE3_STAND_IN_BATCH_SECONDS", pace * 10))
    cut = os.environ.get("EAGLE3_STAND_IN_CUT", "").split(",")
    started = time.time()
    for batch in range(batches):
        first = batch * arguments.batch_size
        rows = samples[first : first + arguments.batch_size]
        lengths = [len(ids) for ids, _ in rows]
        while stalls and batch:
            worker_log(0, workers[0], "No available shared memory broadcast block found in 60 seconds.",
                       source="shm_broadcast.py:466")
            time.sleep(1)
        time.sleep(batch_seconds if batch else pace * 10)
        if batch == 2 and fault == "run.killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if batch == 2 and fault == "run.worker-died":
            lose_worker(workers)
        captured = capture(lengths, hidden_size, captured_ids, batch)
        if fault == "set.batch-in-one-file":
            path = os.path.join(arguments.output_dir, "data_%d.pt" % (done + batch))
            save_batch(path, rows, captured, lengths, hidden_size)
            continue
        saved = unpack(captured, lengths, hidden_size, fault, done + first, arguments.tp_size)
        for index, states in enumerate(saved):
            ids, mask = rows[index]
            if fault == "samples.skipped" and done + first + index in (3, 7):
                log("Skipping sample %d due to error: CUDA error: misaligned address"
                    % (done + first + index), "WARNING")
                continue
            path = os.path.join(arguments.output_dir, "data_%d.pt" % (done + first + index))
            states = misshape(fault, states, lengths, ids)
            dtype = "Half" if fault == "values.dtype-overflow" else "BFloat16"
            save_sample(path, ids, states, mask, dtype=dtype)
            if str(done + first + index) in cut:
                os.truncate(path, os.path.getsize(path) // 2)
            if fault == "host.disk-full" and done + first + index == 4:
                run_out_of_disk(path)
        took = time.time() - started
        sys.stderr.write(
            "\rGenerating hidden states: %3d%%|%s| %d/%d [%s<%s, %5.2fs/it]"
            % ((batch + 1) * 100 // batches, bar(batch + 1, batches), batch + 1, batches, clock(took),
               clock(took / (batch + 1) * (batches - batch - 1)), took / (batch + 1))
        )
        sys.stderr.flush()
    sys.stderr.write("\n")
    log("Waiting for remaining file saves to complete...")
    log("Saved %d new data points to %s" % (len(samples), arguments.output_dir))
    section("Data generation complete!")
    stop_workers(workers, alive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
