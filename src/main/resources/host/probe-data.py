"""Says what prepared data holds: JSON Lines with input_ids and loss_mask. Changes nothing. Reads from
the start, as far as its time reaches. Python 3.8, standard library only.

Arguments, pairs of a word and a value (other words are passed over):
  data PATH           the file
  model PATH          folder of the model, whose config.json may name the token that begins a text
  most-tokens N       the script cuts longer samples
  data-seconds N      how long it may look

Answers, fields separated by tabs:
  data lines|conversations|array|arrow|folder|other|missing|unreadable
                                      conversations: text, which the script tokenizes; arrow: a folder of
                                      Arrow files, of datasets
  read BYTES TOTAL                    how much of it was looked at
  samples GOOD LINES                  lines that are a sample; lines that are not blank
  bad-line NUMBER WHAT                the first five; bad-lines COUNT
  tokens SUM CUT LONGEST SHORTEST     CUT: sum when samples are cut
  over COUNT LINE                     samples over the limit, and the first one; likewise:
  twins COUNT LINE                    samples with ids that an earlier one has
  unmasked COUNT LINE                 samples without loss_mask
  unlike COUNT LINE                   loss_mask has another length than input_ids
  nothing-to-learn COUNT LINE         loss_mask is 0 as far as the sample is kept
  odd-mask COUNT LINE                 loss_mask has other values than 0 and 1
  doubled COUNT LINE                  the first id stands twice: of those that begin with the token that
                                      begins a text where that is known, else of all
  ids LOWEST HIGHEST LINE             the line of the highest
  trouble WHAT
"""

import sys

sys.path[:] = [entry for entry in sys.path if entry]

import json
import os
import time

MOST_LINE_BYTES = 256 << 20


def row(*fields):
    line = "\t".join("".join(c if c.isprintable() else "?" for c in str(f))[:1000] for f in fields)
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")


class Count:
    """How often something was seen, and in which line first."""

    def __init__(self):
        self.count = 0
        self.line = 0

    def add(self, line):
        self.count += 1
        self.line = self.line or line


class Look:
    """One pass over the lines."""

    def __init__(self, most, begin):
        self.most = most
        self.begin = begin
        self.lines = 0
        self.good = 0
        self.bad = []
        self.bad_lines = 0
        self.tokens = 0
        self.cut = 0
        self.longest = 0
        self.shortest = 0
        self.lowest = 0
        self.highest = -1
        self.highest_line = 0
        self.known = set()
        self.counts = {name: Count() for name in
                       ("over", "twins", "unmasked", "unlike", "nothing-to-learn", "odd-mask", "doubled")}

    def line(self, number, text):
        self.lines += 1
        try:
            problem = self.sample(number, json.loads(text))
        except (ValueError, RecursionError):
            problem = "no JSON"
        if problem:
            self.bad_lines += 1
            if len(self.bad) < 5:
                self.bad.append((number, problem))
        else:
            self.good += 1

    def sample(self, number, sample):
        if not isinstance(sample, dict):
            return "no object"
        ids = sample.get("input_ids")
        if not isinstance(ids, list):
            return "no list input_ids" if "input_ids" in sample else "no input_ids"
        if not ids:
            return "input_ids is empty"
        if set(map(type, ids)) != {int}:
            return "input_ids holds something that is no whole number"
        kept = min(len(ids), self.most) if self.most else len(ids)
        self.tokens += len(ids)
        self.cut += kept
        self.longest = max(self.longest, len(ids))
        self.shortest = min(self.shortest or len(ids), len(ids))
        self.lowest = min(self.lowest, min(ids))
        highest = max(ids)
        if highest > self.highest:
            self.highest, self.highest_line = highest, number
        if self.most and len(ids) > self.most:
            self.counts["over"].add(number)
        content = hash(tuple(ids))
        if content in self.known:
            self.counts["twins"].add(number)
        self.known.add(content)
        if len(ids) > 1 and ids[0] == ids[1] and self.begin in (None, ids[0]):
            self.counts["doubled"].add(number)
        return self.mask(number, sample.get("loss_mask"), len(ids), kept)

    def mask(self, number, mask, length, kept):
        if mask is None:
            self.counts["unmasked"].add(number)
        elif not isinstance(mask, list):
            return "loss_mask is no list"
        elif len(mask) != length:
            self.counts["unlike"].add(number)
        elif not any(mask[:kept]):
            self.counts["nothing-to-learn"].add(number)
        elif not set(mask) <= {0, 1}:
            self.counts["odd-mask"].add(number)
        return ""

    def show(self):
        row("samples", self.good, self.lines)
        for number, problem in self.bad:
            row("bad-line", number, problem)
        row("bad-lines", self.bad_lines)
        row("tokens", self.tokens, self.cut, self.longest, self.shortest)
        for name, count in self.counts.items():
            row(name, count.count, count.line)
        row("ids", self.lowest, self.highest, self.highest_line)


def begin_of(model):
    try:
        with open(os.path.join(model, "config.json"), "rb") as file:
            root = json.loads(file.read(32 << 20))
        part = root.get("text_config") or root
        found = part.get("bos_token_id", root.get("bos_token_id"))
        return found if type(found) is int else None
    except (OSError, ValueError, AttributeError):
        return None


def is_arrow(folder):
    try:
        return any(name.endswith(".arrow") or name == "dataset_info.json" for name in os.listdir(folder))
    except OSError:
        return False


def is_conversation(line):
    try:
        sample = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(sample, dict) and "input_ids" not in sample and (
        "conversations" in sample or "messages" in sample
    )


def main(arguments):
    given = dict(zip(arguments[::2], arguments[1::2]))
    path = given.get("data", "")
    deadline = time.monotonic() + float(given.get("data-seconds", "5"))
    if os.path.isdir(path):
        row("data", "arrow" if is_arrow(path) else "folder")
        return
    if not os.path.isfile(path):
        row("data", "other" if os.path.exists(path) else "missing")
        return
    try:
        file = open(path, "rb")
    except OSError:
        row("data", "unreadable")
        return
    with file:
        total = os.fstat(file.fileno()).st_size
        first = file.read(4096).lstrip()[:1]
        if first not in (b"{", b"[", b"") and not path.endswith((".json", ".jsonl")):
            row("data", "other")
            return
        if first == b"[":
            row("data", "array")
            return
        file.seek(0)
        if is_conversation(file.readline(MOST_LINE_BYTES)):
            row("data", "conversations")
            return
        row("data", "lines")
        file.seek(0)
        look = Look(int(given.get("most-tokens", "0")), begin_of(given.get("model", "")))
        number = 0
        done = 0
        while number == 0 or time.monotonic() < deadline:
            text = file.readline(MOST_LINE_BYTES)
            if not text:
                break
            number += 1
            done += len(text)
            if text.strip():
                look.line(number, text)
        row("read", done, total)
        look.show()


try:
    main(sys.argv[1:])
except Exception as wrong:
    row("trouble", "%s: %s" % (type(wrong).__name__, wrong))
