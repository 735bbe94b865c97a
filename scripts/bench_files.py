"""Sample files for scripts/bench, as extractors write them: right in every byte that is not a value, and sparse, so that
a thousand files of 112 MiB take no room."""

import io
import pickle
import struct
import sys
import types
import zlib
from collections import OrderedDict

HIDDEN_SIZE = 7168
LAYERS = 4
TOKENS = 2047
ALIGNMENT = 64
RECORD_HEADER = 30


def write_torch(path, tokens=TOKENS, layers=LAYERS, hidden_size=HIDDEN_SIZE):
    """What speculators saves: input_ids, hidden_states (one tensor a layer), loss_mask; by torch 2.7 and later."""
    ids = struct.pack(f"<{tokens}q", *(7 * place % 160_000 for place in range(tokens)))
    mask = struct.pack(f"<{tokens}q", *([0] * (tokens // 2) + [1] * (tokens - tokens // 2)))
    layer = [Tensor("BFloat16Storage", (tokens, hidden_size), None) for _ in range(layers)]
    sample = {
        "input_ids": Tensor("LongStorage", (tokens,), ids),
        "hidden_states": layer,
        "loss_mask": Tensor("LongStorage", (tokens,), mask),
    }
    write_archive(path, sample)


def write_many_tensors(path, tensors):
    """One dict of as many tensors of one float each: a pickle of 110 bytes a tensor."""
    write_archive(path, {f"tensor.{number}": Tensor("FloatStorage", (1,), None) for number in range(tensors)})


class Tensor:
    """A tensor in a storage of its own: zeros, which take no room, where it has no content."""

    SIZES = {"LongStorage": 8, "BFloat16Storage": 2, "FloatStorage": 4}

    def __init__(self, kind, shape, content):
        self.kind = kind
        self.shape = shape
        self.content = content
        self.numbers = 1
        for size in shape:
            self.numbers *= size
        self.bytes = self.numbers * self.SIZES[kind]


def pickled(sample):
    """The pickle, and the tensors in the order of their storages. Names of torch, without torch."""
    names = {}
    for module in ("torch", "torch._utils"):
        names[module] = sys.modules.get(module)
        sys.modules[module] = types.ModuleType(module)
    kinds = {kind: type(kind, (), {"__module__": "torch"}) for kind in Tensor.SIZES}
    for kind, stand_in in kinds.items():
        setattr(sys.modules["torch"], kind, stand_in)

    def _rebuild_tensor_v2():
        pass

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    sys.modules["torch._utils"]._rebuild_tensor_v2 = _rebuild_tensor_v2
    tensors = []

    class Storage:
        def __init__(self, tensor):
            self.tensor = tensor

    class TorchPickler(pickle.Pickler):
        def persistent_id(self, thing):
            if not isinstance(thing, Storage):
                return None
            tensors.append(thing.tensor)
            return ("storage", kinds[thing.tensor.kind], str(len(tensors) - 1), "cpu", thing.tensor.numbers)

        def reducer_override(self, thing):
            if not isinstance(thing, Tensor):
                return NotImplemented
            stride = tuple(strides_of(thing.shape))
            return _rebuild_tensor_v2, (Storage(thing), 0, thing.shape, stride, False, OrderedDict())

    out = io.BytesIO()
    TorchPickler(out, 2).dump(sample)
    for module, before in names.items():
        if before is None:
            del sys.modules[module]
        else:
            sys.modules[module] = before
    return out.getvalue(), tensors


def strides_of(shape):
    strides = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    return strides


def write_archive(path, sample):
    """A zip as torch.save writes it: stored, aligned, sizes behind the contents; without checksums of values, which torch allows."""
    tensors_pickle, tensors = pickled(sample)
    records = [
        ("data.pkl", tensors_pickle, len(tensors_pickle)),
        (".format_version", b"1", 1),
        (".storage_alignment", b"64", 2),
        ("byteorder", b"little", 6),
        *((f"data/{key}", tensor.content, tensor.bytes) for key, tensor in enumerate(tensors)),
        ("version", b"3\n", 2),
        (".data/serialization_id", b"0" * 40, 40),
    ]
    directory = io.BytesIO()
    with open(path, "wb") as file:
        for name, content, size in records:
            name = b"sample/" + name.encode()
            start = file.tell()
            end_of_name = start + RECORD_HEADER + len(name) + 4
            padding = -end_of_name % ALIGNMENT
            file.write(struct.pack("<4s5H3L2H", b"PK\3\4", 0, 0x0808, 0, 0, 0, 0, 0, 0, len(name), padding + 4))
            file.write(name + struct.pack("<2sH", b"FB", padding) + b"Z" * padding)
            if content is None:
                file.seek(size, io.SEEK_CUR)
            else:
                file.write(content)
            checksum = zlib.crc32(content) if content else 0
            file.write(struct.pack("<4s3L", b"PK\7\10", checksum, size, size))
            directory.write(
                struct.pack(
                    "<4s6H3L5H2L", b"PK\1\2", 0, 0, 0x0808, 0, 0, 0, checksum, size, size, len(name), 0, 0, 0, 0, 0, start
                )
            )
            directory.write(name)
        start = file.tell()
        file.write(directory.getvalue())
        size, count, end = directory.tell(), len(records), start + directory.tell()
        file.write(struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 0, 0, 0, 0, count, count, size, start))
        file.write(struct.pack("<4sLQL", b"PK\6\7", 0, end, 1))
        many = min(count, 0xFFFF)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, many, many, size, start, 0))
