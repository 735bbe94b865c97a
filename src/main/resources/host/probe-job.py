"""Says what a job's interpreter would find: what flags its script knows and what it imports, the
versions of packages, and chosen lines of their sources. Changes nothing. The script is parsed and
never run; packages are read as text and never imported. Python 3.8, standard library only.

Arguments, pairs of a word and a value (other words are passed over):
  script PATH         the script
  package NAME        a package whose version is wanted
  source ID PATH      as ID<TAB>PATH: a source below site-packages, or {script}, which the pattern after
                      it is for
  pattern REGEX       what is looked for in it; the group "at" is the line that is named

Answers, fields separated by tabs:
  python VERSION PREFIX
  script-error LINE WHAT           it cannot be read, or is no Python of this version
  flag NAME                        a flag that the script defines; required NAME where it must be given
  flags-open WHY                   it may know more flags, or takes unknown ones
  abbreviations no                 flags must be spelled out
  import MODULE LINE found|missing always|maybe   maybe: within a function, a condition or a try
  path-change LINE                 the script changes sys.path
  package NAME VERSION FOLDER
  requires NAME OTHER RANGE EXTRA  what the metadata of a package says of another one
  torch CUDA HIP                   what torch was built for; - for none
  torch-arch LIST                  GPU architectures that torch has code for: sm_90 sm_100 compute_120
  source ID FILE LINE TEXT         LINE 0 when the pattern is not in it
  no-source ID                     there is no such file
  changed ID                       the file is not the one that was installed
  trouble WHAT                     something else went wrong; the rest is missing
"""

import sys

sys.path[:] = [entry for entry in sys.path if entry]

import ast
import base64
import hashlib
import importlib.util
import mmap
import os
import re

MOST_SOURCE_BYTES = 4 << 20
MOST_METADATA_BYTES = 1 << 20
MOST_RECORD_BYTES = 32 << 20
ARCHITECTURE = re.compile(rb"(?:(?:sm|compute)_\d{2,3}[af]? ?)+")


def row(*fields):
    line = "\t".join("".join(c if c.isprintable() else "?" for c in str(f))[:1000] for f in fields)
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")


def read(path, most):
    with open(path, "rb") as file:
        return file.read(most)


# ---------------------------------------------------------------- the script


class Script(ast.NodeVisitor):
    """What a script does with argparse, and what it imports."""

    def __init__(self):
        self.flags = {}
        self.open = []
        self.made = 0
        self.receivers = set()
        self.origins = {}
        self.functions = set()
        self.parameters = set()
        self.passed = []
        self.imports = []
        self.path_changes = []
        self.abbreviations = True
        self.depth = 0
        self.conditions = 0

    def maybe(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_With = visit_Lambda = maybe

    def visit_If(self, node):
        main = "__name__" in ast.dump(node.test)
        self.conditions += 0 if main else 1
        self.maybe(node)
        self.conditions -= 0 if main else 1

    def conditional(self, node):
        self.conditions += 1
        self.maybe(node)
        self.conditions -= 1

    visit_Try = visit_For = visit_While = conditional

    def visit_FunctionDef(self, node):
        self.functions.add(node.name)
        arguments = node.args
        for argument in getattr(arguments, "posonlyargs", []) + arguments.args + arguments.kwonlyargs:
            self.parameters.add(argument.arg)
        self.maybe(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Import(self, node):
        for name in node.names:
            self.imports.append((name.name, node.lineno, self.depth == 0))

    def visit_ImportFrom(self, node):
        if node.level == 0 and node.module:
            self.imports.append((node.module, node.lineno, self.depth == 0))

    def visit_Assign(self, node):
        if isinstance(node.value, ast.Call):
            for target in node.targets:
                self.origins.setdefault(spelled(target), set()).add(called(node.value))
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if isinstance(node.value, ast.Call):
            self.origins.setdefault(spelled(node.target), set()).add(called(node.value))
        self.generic_visit(node)

    def visit_Attribute(self, node):
        if node.attr == "path" and isinstance(node.value, ast.Name) and node.value.id == "sys":
            self.path_changes.append(node.lineno)
        self.generic_visit(node)

    def visit_Call(self, node):
        name = called(node)
        if name == "add_argument":
            self.add_argument(node)
        elif name in ("parse_known_args", "parse_known_intermixed_args"):
            self.open.append("%s in line %d" % (name, node.lineno))
        elif name in ("parse_args", "parse_intermixed_args"):
            if node.args and "'argv'" not in ast.dump(node.args[0]) or node.keywords:
                self.open.append("line %d parses a list of its own" % node.lineno)
        elif name == "add_subparsers":
            self.open.append("it has subcommands")
        elif name.endswith("ArgumentParser"):
            self.make_parser(node, name)
        for argument in list(node.args) + [keyword.value for keyword in node.keywords]:
            if isinstance(argument, (ast.Name, ast.Attribute)):
                self.passed.append((spelled(argument), name, node.lineno))
        self.generic_visit(node)

    def make_parser(self, node, name):
        self.made += 1
        if name != "ArgumentParser":
            self.open.append("%s may know more" % name)
        for keyword in node.keywords:
            if keyword.arg in ("parents", "fromfile_prefix_chars", "prefix_chars", None):
                self.open.append("%s of its parser" % keyword.arg)
            if keyword.arg == "allow_abbrev" and getattr(keyword.value, "value", None) is False:
                self.abbreviations = False

    def add_argument(self, node):
        if isinstance(node.func, ast.Attribute):
            self.receivers.add(spelled(node.func.value))
        names = [getattr(argument, "value", None) for argument in node.args]
        if not all(isinstance(name, str) for name in names):
            self.open.append("a flag in line %d is computed" % node.lineno)
            return
        values = {keyword.arg: keyword.value for keyword in node.keywords}
        required = getattr(values.get("required"), "value", None) is True
        flags = [name for name in names if name.startswith("-")]
        if "action" in values and "BooleanOptionalAction" in ast.dump(values["action"]):
            flags += ["--no-" + name[2:] for name in flags if name.startswith("--")]
        for flag in flags:
            certain = required and self.conditions == 0
            self.flags[flag] = tuple(flags) if certain else ()

    def finish(self):
        """Whether all parsers that it fills are its own, and stay with it."""
        own = ("ArgumentParser", "add_argument_group", "add_mutually_exclusive_group")
        for name in sorted(self.receivers - self.parameters):
            for origin in sorted(self.origins.get(name, {"something else"})):
                if origin not in own and origin not in self.functions:
                    self.open.append("its parser comes from %s" % (origin or "something else"))
        parsers = self.receivers | {
            name for name, origins in self.origins.items() if "ArgumentParser" in origins
        }
        for name, function, line in self.passed:
            if name in parsers and function not in self.functions:
                self.open.append("line %d gives its parser to %s" % (line, function or "something"))
        if not self.made:
            self.open.append("it makes no ArgumentParser")


def spelled(node):
    """A variable, or an attribute of one, as text."""
    if isinstance(node, ast.Attribute):
        return spelled(node.value) + "." + node.attr
    return node.id if isinstance(node, ast.Name) else ""


def called(node):
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def show_script(path):
    try:
        text = read(path, MOST_SOURCE_BYTES)
        tree = ast.parse(text)
    except SyntaxError as wrong:
        row("script-error", wrong.lineno or 0, wrong.msg)
        return
    except (OSError, ValueError, RecursionError, MemoryError) as wrong:
        row("script-error", 0, type(wrong).__name__)
        return
    script = Script()
    script.visit(tree)
    script.finish()
    for flag, required in script.flags.items():
        row("flag", flag)
        if required and required[0] == flag and script.made == 1:
            row("required", *required)
    if not script.flags:
        script.open.append("it calls no add_argument")
    for why in script.open[:3]:
        row("flags-open", why)
    if not script.abbreviations:
        row("abbreviations", "no")
    for line in script.path_changes[:1]:
        row("path-change", line)
    seen = set()
    for module, line, always in script.imports:
        if module not in seen and len(seen) < 200:
            seen.add(module)
            state = "found" if is_there(module) else "missing"
            row("import", module, line, state, "always" if always else "maybe")


# ---------------------------------------------------------------- modules and packages


def folders_of(name):
    """Folders of a package; None when it is not there, [] for a module that is a single file."""
    if name in sys.builtin_module_names:
        return []
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    return None if spec is None else list(spec.submodule_search_locations or [])


def is_there(module):
    """Whether it can be imported, as far as that shows without importing anything."""
    parts = module.split(".")
    folders = folders_of(parts[0])
    if folders is None:
        return False
    for part in parts[1:]:
        if not folders:
            return True
        deeper = []
        found = False
        for folder in folders:
            path = os.path.join(folder, part)
            if os.path.isdir(path):
                deeper.append(path)
                found = True
            elif os.path.isdir(folder):
                found = found or any(
                    entry == part + ".py" or entry.startswith(part + ".") and entry.endswith(".so")
                    for entry in os.listdir(folder)
                )
        if not found:
            return False
        folders = deeper
    return True


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def metadata_folders():
    """Plain name of a package: folder of its metadata. The first on sys.path wins."""
    found = {}
    for folder in sys.path:
        try:
            entries = os.listdir(folder)
        except OSError:
            continue
        for entry in entries:
            if entry.endswith((".dist-info", ".egg-info")):
                found.setdefault(plain(entry[:-10].split("-")[0]), os.path.join(folder, entry))
    return found


def show_package(name, folder, wanted):
    file = "METADATA" if folder.endswith(".dist-info") else "PKG-INFO"
    text = read(os.path.join(folder, file), MOST_METADATA_BYTES).decode("utf-8", "replace")
    version = "-"
    for line in text.splitlines():
        if not line:
            break
        key, _, value = line.partition(": ")
        if key == "Version":
            version = value.strip()
        elif key == "Requires-Dist":
            match = re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?$", value)
            if match and plain(match.group(1)) in wanted and match.group(2).strip():
                marker = match.group(3) or ""
                extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
                other = marker and not extra
                if not other:
                    row("requires", name, plain(match.group(1)), match.group(2).strip(),
                        extra.group(1) if extra else "")
    row("package", name, version, os.path.dirname(folder))


def show_torch():
    for folder in folders_of("torch") or []:
        values = {}
        for node in ast.parse(read(os.path.join(folder, "version.py"), 1 << 16)).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                if isinstance(target, ast.Name) and hasattr(getattr(node, "value", None), "value"):
                    values[target.id] = node.value.value
        row("torch", values.get("cuda") or "-", values.get("hip") or "-")
        show_architectures(os.path.join(folder, "lib", "libtorch_python.so"))
        return


def show_architectures(library):
    """torch.cuda.get_arch_list() gives a string that is compiled into this library."""
    with open(library, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        best = b""
        for word in (b"sm_", b"compute_"):
            at = data.find(word)
            while at >= 0:
                match = ARCHITECTURE.match(data, at)
                whole = match and data[at - 1] == 0 and data[match.end()] == 0
                if whole and len(match.group()) > len(best):
                    best = match.group()
                at = data.find(word, match.end() if match else at + 1)
        if best:
            row("torch-arch", best.decode("ascii").strip())


# ---------------------------------------------------------------- sources


def show_source(name, path, pattern, metadata, scripts):
    top, _, below = path.partition("/")
    folders = [] if path == "{script}" else folders_of(top) or []
    files = [os.path.join(folder, *below.split("/")) for folder in folders]
    for file in scripts[:1] if path == "{script}" else files:
        if not os.path.isfile(file):
            continue
        content = read(file, MOST_SOURCE_BYTES)
        text = content.decode("utf-8", "replace")
        match = re.search(pattern, text, re.S | re.M)
        if match is None:
            row("source", name, file, 0, "")
        else:
            at = match.start("at")
            line = text.count("\n", 0, at) + 1
            row("source", name, file, line, text.splitlines()[line - 1].strip())
        if is_changed(content, path, metadata.get(plain(top))):
            row("changed", name)
        return
    row("no-source", name)


def is_changed(content, path, folder):
    """Whether RECORD, which pip writes, has another hash for the file."""
    try:
        record = read(os.path.join(folder or "", "RECORD"), MOST_RECORD_BYTES).decode("utf-8", "replace")
    except OSError:
        return False
    for line in record.splitlines():
        if line.startswith(path + ",sha256="):
            written = line.split(",")[1][7:]
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
            return written != digest.decode("ascii").rstrip("=")
    return False


def main(arguments):
    row("python", "%d.%d.%d" % sys.version_info[:3], sys.prefix)
    pairs = list(zip(arguments[::2], arguments[1::2]))
    # As it is when the script runs: what lies beside it comes first. All that this program needs is
    # imported by now.
    scripts = [value for word, value in pairs if word == "script"]
    sys.path[:0] = [os.path.dirname(os.path.abspath(path)) for path in scripts]
    metadata = metadata_folders()
    wanted = [plain(value) for word, value in pairs if word == "package"]
    for name in wanted:
        if name in metadata:
            guarded(show_package, name, metadata[name], wanted)
    if "torch" in wanted:
        guarded(show_torch)
    source = None
    for word, value in pairs:
        if word == "source":
            source = value.split("\t")
        elif word == "pattern" and source:
            guarded(show_source, source[0], source[1], value, metadata, scripts)
    for path in scripts:
        guarded(show_script, path)


def guarded(step, *arguments):
    try:
        step(*arguments)
    except Exception as wrong:
        row("trouble", "%s: %s: %s" % (step.__name__, type(wrong).__name__, wrong))


main(sys.argv[1:])
