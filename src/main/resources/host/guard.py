# The guard of a run: watches over it from its own host, also while no client is connected. launch.sh
# writes it into the run's folder; job.sh starts it beside the job, niced, under the job's interpreter
# and with the standard library alone (python3 -I -S guard.py WRAPPER START): nothing of the job is
# imported, no GPU is touched, nothing that a file says is run.
#
# It looks every second or more rarely, so that looking takes no more than a tenth of the time:
# - at the room on the disk, against what the samples that are still to come need by the size of those
#   that are there;
# - at samples that are finished, by their headers: whether they are whole, and whether they hold as
#   many layers, of the form, that plan.json wants. What it does not understand it does not judge.
# Changes: writes what it finds over the blanks of guard.jsonl, which takes no room on the disk. When
# samples are bad in the way that --on-bad of the plan says, it runs stop.sh (run-processes.sh and
# stop-run.sh of eagle3), which notes why in end.json and then ends this very run as `eagle3 stop` does.
# It ends with the wrapper of the job (process WRAPPER, started at START).
import io
import json
import os
import pickletools
import re
import signal
import stat
import struct
import sys
import time

PAUSE_SECONDS = 1.0
LISTING_SHARE = 10
FILE_SECONDS = 20
RESTS = 3  # a file that looks cut must stay the same in so many looks
RESTS_UNSEEN = 60  # where it may be written by a process that cannot be seen, in a container
OTHER_SECONDS = 60  # a client that ends the run is left to it for so long
PATIENCE_SECONDS = 15  # a client that watches ends the run before that, and names the cause
LAST = 10
MOST_OF_LAST = 3
MOST_AT_ONCE = 20
MOST_SAMPLES = 200000
MOST_NOTES = 20
MOST_MEMORY = 1 << 30
MOST_JSON = 8 << 20
MOST_PICKLE = 4 << 20
MOST_DIRECTORY = 4 << 20
MOST_HEADER = 1 << 20
MOST_PREPARED = 64 << 20
FLOOR = 64 << 20
HUGE = 1 << 60

SCHEMAS = {  # schema: names of samples, layers, token ids
    'speculators-list': (r'data_[0-9]+\.pt', 'hidden_states', 'input_ids'),
    'vllm-connector': (r'[^.].*\.safetensors', 'hidden_states', 'token_ids'),
}
EXTENSIONS = ('.pt', '.ckpt', '.ckpt.gz', '.safetensors')
NO_SAMPLE = re.compile(  # tables of the vocabulary, what a crash left, copies by hand
    r'(token_freq|vocab_mapping|d2t|t2d|dp_[0-9]+_[0-9]+)\.pt|target_(embeddings|weights)\.safetensors|'
    r'.*( \([0-9]+\)| copy( [0-9]+)?| - Copy( \([0-9]+\))?)\.[a-z]+(\.gz)?')
FOLDER = re.compile(r'rows_[0-9]+-[0-9]+|rank_[0-9]+')
SHARED_FOLDER = re.compile(r'samples|[0-9]{1,6}')  # of samples only where none lie beside it
DEEPEST = 2
LIMITS = ('--max-samples', '--num-samples', '--start-idx', '--start', '--end', '--sample-num')


class Unknown(Exception):
    """Not understood, so not judged."""


class Fault(Exception):
    """Certainly wrong: code, what was wanted, what is there."""


class Damage(Fault):
    """The file itself is broken, or not yet whole."""


class Tensor:
    def __init__(self, shape, storage=None):
        self.shape, self.storage = shape, storage


class Global(str):
    pass


# --- files


def number(text):
    if len(text) > 19:
        raise Unknown('a number without end')
    return int(text)


def parse(text):
    return json.loads(text.decode('utf-8'), parse_int=number)


def read_json(path):
    with open(path, 'rb') as file:
        text = file.read(MOST_JSON + 1)
    if len(text) > MOST_JSON:
        raise Unknown(path)
    return parse(text)


class File:
    """A regular file that is read in ranges. No link is followed and no pipe waited for."""

    def __init__(self, path):
        self.handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(self.handle)
        self.size = found.st_size
        if not stat.S_ISREG(found.st_mode):
            os.close(self.handle)
            raise Unknown('no regular file')

    def read(self, offset, length):
        data = b''
        while len(data) < length:
            piece = os.pread(self.handle, length - len(data), offset + len(data))
            if not piece:
                raise Unknown('became shorter')
            data += piece
        return data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.handle)


# --- what torch.save writes


def directory(file):
    """Entries of a zip archive: name -> (method, bytes, offset of its header)."""
    begin = max(0, file.size - 65557)
    tail = file.read(begin, file.size - begin)
    end = tail.rfind(b'PK\5\6')
    if end < 0 or end + 22 > len(tail):
        raise Damage('file.cut', 'a torch file with its directory, which is written last',
                     '%d bytes without a directory' % file.size)
    count, length, offset, comment = struct.unpack('<10xHLLH', tail[end:end + 22])
    if end + 22 + comment != len(tail):
        raise Unknown('something follows the archive')
    if tail[max(0, end - 20):end][:4] == b'PK\6\7':
        at = struct.unpack('<8xQ4x', tail[end - 20:end])[0]
        record = file.read(at, 56) if at + 56 <= file.size else b''
        if record[:4] != b'PK\6\6':
            raise Unknown('no zip64 directory where it should be')
        count, length, offset = struct.unpack('<32xQQQ', record)
    if length > MOST_DIRECTORY or offset + length > file.size:
        raise Unknown('a directory that cannot be')
    data, entries, at = file.read(offset, length), {}, 0
    while at < len(data):
        if data[at:at + 4] != b'PK\1\2' or at + 46 > len(data):
            raise Unknown('a directory of another form')
        method, packed, size, names, extras, comments, start = struct.unpack(
            '<10xH8xLLHHH8xL', data[at:at + 46])
        name = data[at + 46:at + 46 + names]
        extra = data[at + 46 + names:at + 46 + names + extras]
        size, start = large(extra, size, packed, start)
        if name in entries:
            raise Unknown('a name stands twice')
        entries[name] = (method, size, start)
        at += 46 + names + extras + comments
    if len(entries) != count:
        raise Unknown('a directory that counts otherwise')
    return entries


def large(extra, size, packed, start):
    while len(extra) >= 4:
        kind, length = struct.unpack('<HH', extra[:4])
        if kind == 1:
            field = io.BytesIO(extra[4:4 + length])
            values = [struct.unpack('<Q', field.read(8).ljust(8, b'\0'))[0] if value == 0xffffffff
                      else value for value in (size, packed, start)]
            return values[0], values[2]
        extra = extra[4 + length:]
    return size, start


def read_torch(file):
    """The object of a torch file: dicts and lists with Tensors; anything else in it is None."""
    entries = directory(file)
    pickle = [name for name in entries if name.endswith(b'/data.pkl') and name.count(b'/') == 1]
    if len(pickle) != 1:
        raise Unknown('no data.pkl')
    root = pickle[0][:-len(b'data.pkl')]
    method, size, start = entries[pickle[0]]
    if method != 0 or size > MOST_PICKLE or start + 30 > file.size:
        raise Unknown('a pickle that is not read')
    names, extras = struct.unpack('<26xHH', file.read(start, 30))
    tree, storages = unpickle(file.read(start + 30 + names + extras, size))
    for key, need in sorted(storages.items()):
        entry = entries.get(root + b'data/' + key.encode('utf-8', 'replace'))
        if entry is None:
            raise Damage('file.storage-missing', 'the values of all tensors',
                         'data/%s is not in the file' % key[:40])
        if entry[0] == 0 and entry[1] != need:
            raise Damage('file.storage-size', '%d bytes in data/%s' % (need, key[:40]),
                         '%d bytes' % entry[1])
    return tree


ITEM_BYTES = {'Double': 8, 'Float': 4, 'Half': 2, 'BFloat16': 2, 'Long': 8, 'Int': 4, 'Short': 2,
              'Char': 1, 'Byte': 1, 'Bool': 1, 'ComplexFloat': 8, 'ComplexDouble': 16, 'Untyped': 1}
CONSTANTS = {'NONE': None, 'NEWTRUE': True, 'NEWFALSE': False}
VALUES = ('BINUNICODE', 'SHORT_BINUNICODE', 'BININT', 'BININT1', 'BININT2', 'LONG1', 'BINFLOAT')
EMPTY = {'EMPTY_DICT': dict, 'EMPTY_LIST': list, 'EMPTY_TUPLE': tuple}
TUPLES = {'TUPLE1': 1, 'TUPLE2': 2, 'TUPLE3': 3}
OTHERS = ('PROTO', 'FRAME', 'MARK', 'GLOBAL', 'STACK_GLOBAL', 'BINPUT', 'LONG_BINPUT', 'MEMOIZE',
          'BINGET', 'LONG_BINGET', 'TUPLE', 'BINPERSID', 'REDUCE', 'NEWOBJ', 'BUILD', 'APPEND',
          'APPENDS', 'SETITEM', 'SETITEMS', 'STOP')
KNOWN = set(OTHERS) | set(CONSTANTS) | set(VALUES) | set(EMPTY) | set(TUPLES)


def unpickle(data):
    """Reads a pickle without calling or constructing what it names: (object, bytes of storages)."""
    source, stack, marks, memo, storages = io.BytesIO(data), [], [], {}, {}

    def since_mark():
        items = stack[marks[-1]:]
        del stack[marks.pop():]
        return items

    while True:
        code = source.read(1).decode('latin-1')
        opcode = pickletools.code2op.get(code)
        if opcode is None or opcode.name not in KNOWN:
            raise Unknown('opcode %r' % code)
        name, value = opcode.name, opcode.arg.reader(source) if opcode.arg else None
        if name in VALUES:
            stack.append(value)
        elif name in CONSTANTS:
            stack.append(CONSTANTS[name])
        elif name in EMPTY:
            stack.append(EMPTY[name]())
        elif name in TUPLES:
            stack[-TUPLES[name]:] = [tuple(stack[-TUPLES[name]:])]
        elif name == 'TUPLE':
            stack.append(tuple(since_mark()))
        elif name == 'MARK':
            marks.append(len(stack))
        elif name == 'GLOBAL':
            stack.append(Global(value.replace(' ', '.')))
        elif name == 'STACK_GLOBAL':
            stack[-2:] = [Global('%s.%s' % (stack[-2], stack[-1]))]
        elif name in ('BINPUT', 'LONG_BINPUT'):
            memo[value] = stack[-1]
        elif name == 'MEMOIZE':
            memo[len(memo)] = stack[-1]
        elif name in ('BINGET', 'LONG_BINGET'):
            stack.append(memo[value])
        elif name == 'BINPERSID':
            stack.append(storage(stack.pop(), storages))
        elif name in ('REDUCE', 'NEWOBJ'):
            stack[-2:] = [rebuilt(stack[-2], stack[-1])]
        elif name == 'BUILD':
            stack.pop()
        elif name == 'APPEND':
            add(stack[-2], [stack.pop()])
        elif name == 'APPENDS':
            items = since_mark()
            add(stack[-1], items)
        elif name in ('SETITEM', 'SETITEMS'):
            items = since_mark() if name == 'SETITEMS' else [stack.pop(-2), stack.pop()]
            put(stack[-1], items)
        elif name == 'STOP':
            return stack.pop(), storages


def add(target, items):
    if isinstance(target, list):
        target.extend(items)


def put(target, items):
    if isinstance(target, dict):
        for key, value in zip(items[::2], items[1::2]):
            if isinstance(key, (str, int)):
                target[key] = value


def storage(words, storages):
    if not isinstance(words, tuple) or len(words) != 5 or words[0] != 'storage':
        raise Unknown('a storage of another form')
    _, kind, key, place, count = words
    match = re.match(r'torch(?:\.storage)?\.(\w+)Storage$', kind if isinstance(kind, Global) else '')
    if not match or not isinstance(key, str) or not is_size(count):
        raise Unknown('a storage of another form')
    each = ITEM_BYTES.get(match.group(1))
    if each is None:
        raise Unknown('a storage of an unknown kind')
    if place != 'meta':
        storages[key] = count * each
    return words


def rebuilt(function, arguments):
    if not isinstance(function, Global) or not isinstance(arguments, tuple):
        return None
    if function in ('torch._utils._rebuild_tensor', 'torch._utils._rebuild_tensor_v2',
                    'torch._utils._rebuild_tensor_v3'):
        shape = arguments[2] if len(arguments) > 3 else None
        if isinstance(shape, tuple) and len(shape) <= 16 and all(is_size(one) for one in shape):
            return Tensor(list(shape), arguments[0])
        raise Unknown('a tensor of another form')
    if function == 'torch._utils._rebuild_parameter' and arguments:
        return arguments[0]
    return {} if function == 'collections.OrderedDict' else None


def is_size(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < HUGE


# --- safetensors


def read_safetensors(file):
    length = struct.unpack('<Q', file.read(0, 8))[0] if file.size >= 8 else 0
    if length > MOST_HEADER:
        raise Unknown('a header that is not read')
    if 8 + length > file.size:
        raise Damage('file.cut', '%d bytes of header' % length, '%d bytes in all' % file.size)
    tree, end = {}, 0
    header = parse(file.read(8, length))
    for key, entry in header.items():
        if key == '__metadata__':
            continue
        shape, offsets = entry['shape'], entry['data_offsets']
        if not all(is_size(one) for one in shape + offsets) or len(offsets) != 2:
            raise Unknown('a header of another form')
        tree[key] = Tensor(shape)
        end = max(end, offsets[1])
    if 8 + length + end > file.size:
        raise Damage('file.cut', '%d bytes' % (8 + length + end), '%d bytes' % file.size)
    return tree


# --- what a sample should look like


class Plan:
    def __init__(self, folder):
        plan = read_json(folder + '/plan.json')
        self.output = path_of(plan['output-dir'])
        self.on_bad = plan.get('on-bad', 'auto')
        self.batch = max(1, plan['batch-size'])
        self.layers = len(set(plan['layers'])) or None
        self.schema = plan.get('schema', '')
        self.since = os.stat(folder + '/plan.json').st_mtime_ns if plan['previous-output'] == 'keep' else 0
        self.name = re.compile(SCHEMAS[self.schema][0]) if self.schema in SCHEMAS else None
        self.hidden = self.try_out(hidden_size, path_of(plan['model-path']))
        limited = any(word.split('=')[0].replace('_', '-') in LIMITS for word in plan['script-arguments'])
        self.rests = RESTS_UNSEEN if plan['wrap'] else RESTS
        self.samples = None if limited or self.since else self.try_out(
            count_lines, path_of(plan['prepared-data']))

    @staticmethod
    def try_out(question, path):
        try:
            return question(path)
        except Exception:
            return None


def path_of(text):
    """A path as this Python takes it, also where its locale knows ASCII alone."""
    return os.fsdecode(text.encode('utf-8'))


def hidden_size(model):
    config = read_json(model + '/config.json')
    for place in ((), ('text_config',), ('llm_config',), ('language_config',), ('thinker_config', 'text_config')):
        part = config
        for key in place:
            part = part.get(key, {})
        if is_size(part.get('hidden_size')) and is_size(part.get('num_hidden_layers')):
            return part['hidden_size'] or None
    return None


def count_lines(path):
    if not path.endswith(('.jsonl', '.json')) or os.stat(path).st_size > MOST_PREPARED:
        return None
    with open(path, 'rb') as file:
        if file.read(1) != b'{':
            return None
        file.seek(0)
        return sum(1 for line in file if line.strip()) or None


def judge(tree, plan):
    """Raises a Fault when the layers are not those that were asked for."""
    if plan.schema not in SCHEMAS or not isinstance(tree, dict):
        return
    _, layers, tokens = SCHEMAS[plan.schema]
    found, ids = tree.get(layers), tree.get(tokens)
    if plan.schema == 'vllm-connector':
        if not isinstance(found, Tensor) or len(found.shape) != 3:
            return
        rows, count, width = found.shape
        found = [Tensor([rows, width])] * min(count, 10000)
    if not isinstance(found, list) or not found or not all(isinstance(one, Tensor) for one in found):
        return
    length = ids.shape[0] if isinstance(ids, Tensor) and len(ids.shape) == 1 else None
    wanted = '%s × [%s, %s]' % (plan.layers or 'L', 'T' if length is None else length, plan.hidden or 'H')
    shapes = [tuple(one.shape) for one in found]
    if plan.layers and len(found) != plan.layers:
        raise Fault('layers.count', wanted, says(shapes))
    if any(len(shape) != 2 for shape in shapes):
        raise Fault('layers.rank', wanted, says(shapes))
    if plan.hidden and any(shape[1] != plan.hidden for shape in shapes):
        raise Fault('layers.hidden-size', wanted, says(shapes))
    if length is not None and any(shape[0] != length for shape in shapes):
        raise Fault('tokens.count', wanted, says(shapes))


def says(shapes):
    runs = []
    for shape in shapes:
        if runs and runs[-1][1] == shape:
            runs[-1][0] += 1
        elif len(runs) == 4:
            return ', '.join('%d × %s' % (count, list(one)) for count, one in runs) + ', ...'
        else:
            runs.append([1, shape])
    return ', '.join('%d × %s' % (count, list(one)) for count, one in runs)


class Slow(Exception):
    pass


def late(*_):
    raise Slow()


def check(path, plan):
    """None for a sample that is good, or not judged; else what is wrong with it."""
    signal.signal(signal.SIGALRM, late)
    signal.alarm(FILE_SECONDS)
    try:
        with File(path) as file:
            if file.size == 0:
                raise Damage('file.empty', 'a tensor file', '0 bytes')
            if path.endswith('.safetensors'):
                judge(read_safetensors(file), plan)
            elif file.read(0, min(4, file.size)) == b'PK\3\4':
                judge(read_torch(file), plan)
    except Fault as fault:
        return fault
    except Exception:  # not understood: a client that looks may know more
        return None
    finally:
        signal.alarm(0)
    return None


def is_being_written(path):
    """Whether a process that can be seen has the file open for writing."""
    try:
        mine = os.stat(path)
    except OSError:
        return True
    for one in os.listdir('/proc'):
        folder = '/proc/%s/fd' % one
        try:
            for handle in os.listdir(folder) if one.isdigit() else ():
                link = folder + '/' + handle
                if os.lstat(link).st_mode & 0o200:
                    open_one = os.stat(link)
                    if (open_one.st_dev, open_one.st_ino) == (mine.st_dev, mine.st_ino):
                        return True
        except OSError:
            continue
    return False


# --- the run


class Notes:
    """Lines of JSON, written over the blanks of a file that was made at the launch."""

    def __init__(self, folder):
        self.handle = os.open(folder + '/guard.jsonl', os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        self.room = os.fstat(self.handle).st_size
        self.at = 0
        self.said = 0

    def add(self, kind, **fields):
        line = (text_of(dict(fields, v=1, type=kind, time=now())) + '\n').encode('ascii')
        if self.at + len(line) <= self.room and self.said < MOST_NOTES:
            try:
                os.pwrite(self.handle, line, self.at)
            except OSError:  # what cannot be noted is acted on all the same
                return
            self.at += len(line)
            self.said += 1


def now():
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())


def text_of(fields):
    return json.dumps(fields, sort_keys=True)


def shown(path):
    return os.fsencode(path).decode('utf-8', 'replace')[:300]


def natural(path):
    """A key by which 2 comes before 10, for numbers of any length."""
    parts = re.split('([0-9]+)', path)
    parts[1::2] = [(len(digits.lstrip('0')), digits.lstrip('0')) for digits in parts[1::2]]
    return parts, path


def is_sample(name):
    return (name.endswith(EXTENSIONS) and not name.startswith(('.', 'RAY_CHECK_'))
            and not NO_SAMPLE.fullmatch(name))


def is_sample_folder(name, samples_beside):
    """Whether a folder of this name holds samples. eagle3 sets bad and old ones aside in others."""
    return bool(FOLDER.fullmatch(name) or not samples_beside and SHARED_FOLDER.fullmatch(name))


class Sample:
    """What was said of a file (nothing, or a fault) that was of this size and time then."""

    def __init__(self, path, facts, fault):
        self.path, self.facts, self.fault = path, facts, fault

    def is_over(self):
        """Whether it is gone, or was written anew."""
        try:
            found = os.lstat(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) != self.facts


class Reason:
    """Why the run is to be ended: a clause, samples of which so many must stay bad, and since when."""

    def __init__(self, says, samples, least):
        self.says, self.samples, self.least, self.begun = says, samples, least, time.monotonic()


class Guard:
    def __init__(self, folder, wrapper, start):
        self.folder, self.wrapper, self.start = folder, wrapper, start
        self.notes = Notes(folder)
        self.plan = Plan(folder)
        self.settled = set()
        self.seen = {}
        self.taken = {}  # path -> sample, of the first batch
        self.last = []
        self.bad = []  # where any ends the run
        self.count = self.bytes = self.whole = 0
        self.said = set()
        self.reason = None
        self.ended = False

    def lives(self):
        try:
            with open('/proc/%s/stat' % self.wrapper) as file:
                facts = file.read().rpartition(')')[2].split()
            return facts[0] not in 'ZX' and facts[19] == self.start  # a zombie is over
        except OSError:
            return False

    def run(self):
        while self.lives():
            begun = time.monotonic()
            self.look()
            pause = max(PAUSE_SECONDS, LISTING_SHARE * (time.monotonic() - begun))
            until = time.monotonic() + min(pause, 300)
            while time.monotonic() < until and self.lives():
                time.sleep(0.5)

    def look(self):
        found = self.list(self.plan.output)
        due = sorted((path for path in found if path not in self.settled), key=natural)
        if len(due) > MOST_AT_ONCE and self.count >= LAST:
            for path in due[:-MOST_AT_ONCE]:
                self.settle(path, found[path])
            due = due[-MOST_AT_ONCE:]
        for path in due:
            self.look_at(path, found[path])
        self.look_at_disks()
        self.end_if_due()

    def list(self, folder, depth=0, found=None):
        """Samples that are not settled: path -> (bytes, time)."""
        found, folders, beside = {} if found is None else found, [], False
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if len(self.settled) + len(found) > MOST_SAMPLES:
                        return found
                    if is_sample(entry.name):
                        beside |= entry.path in self.settled or self.list_one(entry, found)
                    elif is_sample_folder(entry.name, False) and entry.is_dir(follow_symlinks=False):
                        folders.append(entry)
        except OSError:
            pass
        for entry in folders if depth < DEEPEST and not self.plan.name else ():
            if is_sample_folder(entry.name, beside):
                self.list(entry.path, depth + 1, found)
        return found

    def list_one(self, entry, found):
        """Whether it is no folder."""
        try:
            facts = entry.stat(follow_symlinks=False)
        except OSError:  # it is gone meanwhile
            return False
        if stat.S_ISDIR(facts.st_mode):
            return False
        if facts.st_mtime_ns >= self.plan.since and (not self.plan.name or self.plan.name.fullmatch(entry.name)):
            found[entry.path] = (facts.st_size, facts.st_mtime_ns)
        return True

    def look_at(self, path, facts):
        before, rests = self.seen.get(path, (None, 0))
        rests = rests + 1 if before == facts else 0
        self.seen[path] = (facts, rests)
        if rests == 0:
            return
        fault = check(path, self.plan)
        if isinstance(fault, Damage) and (rests < self.plan.rests or is_being_written(path)):
            return
        self.settle(path, facts)
        sample = Sample(path, facts, fault)
        if path in self.taken or len(self.taken) < self.plan.batch:
            self.taken[path] = sample
        self.last = (self.last + [sample])[-LAST:]
        if fault:
            self.bad += [sample] if self.plan.on_bad == 'stop' else []
            self.note(path, *fault.args)
        # At once: the next ones may come so quickly that it is none of the last ones at the next look.
        self.reason = self.reason or self.find_reason()

    def note(self, path, code, wanted, actual):
        if code + path not in self.said:
            self.said.add(code + path)
            self.notes.add('finding', code=code, severity='error', subject=shown(path), expected=wanted,
                           actual=actual, evidence='seen by the guard of the run, on its host')

    def settle(self, path, facts):
        self.seen.pop(path, None)
        self.settled.add(path)
        self.count += 1
        self.bytes += facts[0]

    def find_reason(self):
        """The rule of --on-bad, for what is certain alone."""
        if self.plan.on_bad == 'warn':
            return None
        for one in self.bad:
            return Reason('%s is bad' % name_of(one.path), [one], 1)
        wrong = [one for one in self.taken.values() if one.fault]
        for one in wrong:
            if isinstance(one.fault, Damage):
                return Reason('%s, of its first batch, is damaged' % name_of(one.path), [one], 1)
        certain = [one for one in wrong if one.fault.args[0].startswith('layers.')]
        if len(certain) == self.plan.batch:
            return Reason('all of its first batch has the wrong form (%s)' % certain[0].fault.args[0],
                          certain, self.plan.batch)
        recent = [one for one in self.last if one.fault]
        if len(recent) >= MOST_OF_LAST:
            return Reason('%d of its last %d samples have the wrong form' % (len(recent), len(self.last)),
                          recent, MOST_OF_LAST)
        return None

    def forget_what_is_over(self):
        """What is not there any more ends no run; what was written in its place is judged anew."""
        held = self.reason.samples if self.reason else []
        for one in set(self.bad + held + self.last + list(self.taken.values())):
            if not one.fault or not one.is_over():
                continue
            for group in (self.bad, held, self.last):
                if one in group:
                    group.remove(one)
            if self.taken.get(one.path) is one:
                self.taken[one.path] = Sample(one.path, one.facts, None)
            self.settled.discard(one.path)
            self.count -= 1
            self.bytes -= one.facts[0]
        if self.reason and len(self.reason.samples) < self.reason.least:
            self.reason = self.find_reason()

    def end_if_due(self):
        if self.ended:
            return
        self.forget_what_is_over()
        if self.reason is None:
            return
        waited = time.monotonic() - self.reason.begun
        noted = os.path.exists(self.folder + '/end.json')
        if waited < (OTHER_SECONDS if noted else PATIENCE_SECONDS):
            return
        self.ended = True
        since, path = self.reason.says, self.reason.samples[0].path
        code, wanted, actual = self.reason.samples[0].fault.args
        why = {'v': 1, 'time': now(), 'by': 'guard', 'on-bad': self.plan.on_bad, 'since': since, 'code': code,
               'severity': 'error', 'subject': shown(path), 'expected': wanted, 'actual': actual}
        answer = stop(self.folder, text_of(why))
        if 'over' not in answer.split('\n'):
            self.notes.add('note', says='the run was to be ended, since %s: %s'
                           % (since, answer.replace('\t', ' ').strip()[:300] or 'stop.sh did not answer'))

    def look_at_disks(self):
        for folder in (self.plan.output, self.folder):
            try:
                disk = os.statvfs(folder)
            except OSError:
                continue
            free, each = disk.f_bavail * disk.f_frsize, self.bytes // max(1, self.count)
            if disk.f_blocks == 0 or disk.f_blocks * disk.f_frsize >= HUGE:
                continue  # figures of a network file system that say nothing
            left = max(0, self.plan.samples - self.count) if self.plan.samples else 0
            if folder == self.plan.output and self.count and left * each > free:
                self.warn('disk.too-small', folder, '%s for %d more samples' % (size(left * each), left),
                          '%s free' % size(free), '%d samples have %s each' % (self.count, size(each)))
            elif free < FLOOR and (left or folder == self.folder or not self.plan.samples):
                self.warn('disk.nearly-full', folder, '%s free' % size(FLOOR), '%s free' % size(free),
                          'what is written when a disk is full is cut')

    def warn(self, code, subject, wanted, actual, evidence):
        if code + subject not in self.said:
            self.said.add(code + subject)
            self.notes.add('finding', code=code, severity='warning', subject=shown(subject), expected=wanted,
                           actual=actual, evidence=evidence)


def name_of(path):
    return shown(path.rpartition('/')[2])[:100]


def size(count):
    for unit in ('bytes', 'KiB', 'MiB', 'GiB'):
        if count < 10240:
            break
        count //= 1024
    else:
        unit = 'TiB'
    return '%d %s' % (count, unit)


def stop(folder, why):
    """Runs stop.sh as nobody's child: it spares whatever led to it, and the wrapper led to this."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        middle = os.getpid()
        if os.fork() == 0:
            try:
                while os.getppid() == middle:
                    time.sleep(0.01)
                empty = os.open('/dev/null', os.O_RDWR)
                os.dup2(empty, 0)
                os.dup2(write_end, 1)
                os.dup2(empty, 2)
                os.execvp('sh', ['sh', folder + '/stop.sh', folder.rpartition('/runs/')[0],
                                 folder.rpartition('/')[2], '30', why])
            finally:
                os._exit(127)
        os._exit(0)
    os.close(write_end)
    os.waitpid(child, 0)
    with os.fdopen(read_end, 'rb') as pipe:
        return pipe.read(4096).decode('utf-8', 'replace')


def main():
    os.closerange(3, 256)
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except Exception:
        pass
    folder = os.path.dirname(os.path.realpath(sys.argv[0]))
    guard = None
    try:
        guard = Guard(folder, sys.argv[1], sys.argv[2])
        guard.run()
    except Exception as trouble:
        notes = guard.notes if guard else Notes(folder)
        notes.add('note', says='the guard of the run gave up: %s: %s'
                  % (type(trouble).__name__, str(trouble)[:200]))


if __name__ == '__main__':
    main()
