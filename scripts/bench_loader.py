"""What a script of a user would do to check shapes: opens each file of a folder and looks at every tensor. With torch
where that can be imported; else Python reads the zip directory and the pickle alone, which is less work than torch does.

  python3 bench_loader.py FOLDER
"""

import os
import pickle
import sys
import zipfile

try:
    import torch
except ImportError:
    torch = None

WHO = "torch.load(mmap)" if torch else "zipfile + pickle"


class Tensor:
    def __init__(self, *_):
        pass


class ShapeReader(pickle.Unpickler):
    """Makes nothing but shapes."""

    def find_class(self, module, name):
        return {"_rebuild_tensor_v2": lambda storage, offset, size, *_: size, "OrderedDict": dict}.get(name, Tensor)

    def persistent_load(self, _):
        return None


def shapes(path):
    if torch:
        sample = torch.load(path, mmap=True, weights_only=True)
        return [tuple(tensor.shape) for tensor in tensors(sample)]
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(name) as file:
            return [tuple(shape) for shape in tensors(ShapeReader(file).load())]


def tensors(sample):
    """Those of the layers; of a file that holds something else, all of a dict."""
    return sample["hidden_states"] if "hidden_states" in sample else list(sample.values())


def main(folder):
    seen = {shape[-1] for name in os.listdir(folder) for shape in shapes(os.path.join(folder, name))}
    print(seen)


if __name__ == "__main__":
    main(sys.argv[1])
