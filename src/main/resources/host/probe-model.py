"""Says whether the files of a model are whole: each shard that its index names, with a header that
fits its size and holds the tensors that the index has in it. Changes nothing. Reads headers, and a
few hundred MB at the most to see how fast they come. Python 3.8, standard library only.

Arguments, pairs of a word and a value (other words are passed over):
  model PATH         folder of the model
  model-seconds N    how long it may look

Answers, fields separated by tabs:
  model folder|file|missing|unreadable
  weights index|files|other|none COUNT    how the shards are known; other: no safetensors
  shards GOOD TOTAL BYTES CHECKED         BYTES of those that are there; CHECKED of TOTAL looked into
  bad-shard NAME WHAT                     the first 20
  numbers OF                              the names end in -of-N, and no index says it
  bad-index WHAT
  file NAME                               of interest and there: config.json, tokenizer.json, ...
  config BOS HEADS KEY-VALUE-HEADS TYPES HIDDEN-SIZE LAYERS VOCABULARY
                                          - when config.json does not say it
  rate BYTES SECONDS                      what one reader got from the largest shard
  trouble WHAT
"""

import sys

sys.path[:] = [entry for entry in sys.path if entry]

import json
import os
import re
import struct
import threading
import time

INDEX = "model.safetensors.index.json"
MOST_INDEX_BYTES = 256 << 20
MOST_HEADER_BYTES = 100 << 20
READERS = 8
INTERESTING = ("config.json", "tokenizer.json", "tokenizer_config.json", "tokenizer.model",
               "tiktoken.model", "generation_config.json")
PLACES = ((), ("text_config",), ("llm_config",), ("language_config",), ("thinker_config", "text_config"))


def row(*fields):
    line = "\t".join("".join(c if c.isprintable() else "?" for c in str(f))[:1000] for f in fields)
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")


def read_json(path, most):
    if os.path.getsize(path) > most:
        raise ValueError("larger than %d bytes" % most)
    with open(path, "rb") as file:
        return json.loads(file.read(most))


class Shards:
    """Looks into shards, several at a time: on a network file system each takes a while to open."""

    def __init__(self, folder, tensors, deadline):
        self.folder = folder
        self.tensors = tensors
        self.deadline = deadline
        self.names = sorted(tensors)
        self.next = 0
        self.lock = threading.Lock()
        self.problems = {}
        self.sizes = {}

    def look(self):
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(READERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, self.deadline - time.monotonic()) + 1)

    def work(self):
        while time.monotonic() < self.deadline:
            with self.lock:
                if self.next >= len(self.names):
                    return
                name = self.names[self.next]
                self.next += 1
            problem, size = self.problem_of(name)
            with self.lock:
                self.sizes[name] = size
                if problem:
                    self.problems[name] = problem

    def problem_of(self, name):
        path = os.path.join(self.folder, name)
        try:
            size = os.stat(path).st_size
        except FileNotFoundError:
            return ("a link to nothing" if os.path.islink(path) else "missing"), 0
        except OSError as wrong:
            return wrong.strerror or "unreadable", 0
        try:
            with open(path, "rb") as file:
                return self.header_problem(file, size, self.tensors[name]), size
        except OSError as wrong:
            return wrong.strerror or "unreadable", size

    @staticmethod
    def header_problem(file, size, tensors):
        start = file.read(8)
        if start.startswith(b"version "):
            return "a pointer of Git LFS: its content was never fetched"
        if size == 0:
            return "empty"
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 2 <= length <= MOST_HEADER_BYTES:
            return "no safetensors file"
        if length > size - 8:
            return "cut within its header: %d bytes" % size
        try:
            header = json.loads(file.read(length))
            header.pop("__metadata__", None)
            end = 8 + length + max([entry["data_offsets"][1] for entry in header.values()] or [0])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            return "broken: its header cannot be read"
        if end != size:
            what = "cut" if size < end else "too long"
            return "%s: %d bytes, and its header says %d" % (what, size, end)
        lacking = tensors.difference(header)
        if len(lacking) == 1:
            return "without %s, which the index says it holds" % sorted(lacking)[0]
        if lacking:
            return "without %d tensors of the index, %s for one" % (len(lacking), sorted(lacking)[0])
        return ""


def expected(folder):
    """How the shards are known, and the tensors that each is to hold."""
    path = os.path.join(folder, INDEX)
    if os.path.exists(path):
        tensors = {}
        try:
            for tensor, shard in read_json(path, MOST_INDEX_BYTES)["weight_map"].items():
                if not isinstance(shard, str) or "/" in shard or shard in ("", ".", ".."):
                    raise ValueError("names a shard that is no file of this folder")
                tensors.setdefault(shard, set()).add(tensor)
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            row("bad-index", str(wrong) or type(wrong).__name__)
            return "index", {}
        return "index", tensors
    names = [entry for entry in os.listdir(folder) if entry.endswith(".safetensors")]
    if names:
        numbered = [re.search(r"-of-(\d{1,6})\.safetensors$", name) for name in names]
        if all(numbered):
            row("numbers", max(int(match.group(1)) for match in numbered))
        return "files", {name: set() for name in names}
    others = [entry for entry in os.listdir(folder) if entry.endswith((".bin", ".gguf", ".pt", ".pth"))]
    return ("other", {name: set() for name in others}) if others else ("none", {})


def show_config(folder):
    try:
        root = read_json(os.path.join(folder, "config.json"), 32 << 20)
        for place in PLACES:
            part = root
            for key in place:
                part = part.get(key) or {}
            if "hidden_size" in part and "num_hidden_layers" in part:
                bos = part.get("bos_token_id", root.get("bos_token_id"))
                values = (bos, part.get("num_attention_heads"), part.get("num_key_value_heads"))
                types = [node.get("model_type") for node in (root, part)]
                kinds = " ".join(name for name in types if isinstance(name, str))
                sizes = [part[key] if type(part.get(key)) is int else "-"
                         for key in ("hidden_size", "num_hidden_layers", "vocab_size")]
                row("config", *(value if type(value) is int else "-" for value in values), kinds or "-",
                    *sizes)
                return
    except (OSError, ValueError, AttributeError, TypeError):
        return


def show_rate(shards, deadline):
    """Reads for a quarter of a second somewhere in the largest shard."""
    name = max(shards.sizes, key=lambda shard: shards.sizes[shard])
    size = shards.sizes[name]
    chunk = 8 << 20
    if size < 4 * chunk:
        return
    descriptor = os.open(os.path.join(shards.folder, name), os.O_RDONLY)
    try:
        offset = int.from_bytes(os.urandom(4), "little") % (size - 2 * chunk)
        began = time.monotonic()
        done = 0
        while done < 256 << 20 and time.monotonic() < min(began + 0.25, deadline):
            got = len(os.pread(descriptor, chunk, offset + done))
            if got == 0:
                break
            done += got
        row("rate", done, "%.4f" % max(time.monotonic() - began, 0.0001))
    finally:
        os.close(descriptor)


def main(arguments):
    given = dict(zip(arguments[::2], arguments[1::2]))
    folder = given.get("model", "")
    deadline = time.monotonic() + float(given.get("model-seconds", "10"))
    if not os.path.isdir(folder):
        row("model", "file" if os.path.exists(folder) else "missing")
        return
    if not os.access(folder, os.R_OK | os.X_OK):
        row("model", "unreadable")
        return
    row("model", "folder")
    for name in INTERESTING:
        if os.path.exists(os.path.join(folder, name)):
            row("file", name)
    show_config(folder)
    kind, tensors = expected(folder)
    row("weights", kind, len(tensors))
    if kind not in ("index", "files"):
        return
    shards = Shards(folder, tensors, deadline)
    shards.look()
    with shards.lock:
        problems = dict(shards.problems)
        sizes = dict(shards.sizes)
    row("shards", len(sizes) - len(problems), len(tensors), sum(sizes.values()), len(sizes))
    for name in sorted(problems)[:20]:
        row("bad-shard", name, problems[name])
    if sizes and not problems:
        show_rate(shards, deadline)


try:
    main(sys.argv[1:])
except Exception as wrong:
    row("trouble", "%s: %s" % (type(wrong).__name__, wrong))
sys.stdout.flush()
os._exit(0)  # a thread that hangs on a dead mount must not keep it
