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

# What is done with a parser and is understood. Whatever else is done with it may give it more flags.
METHODS = {
    "add_argument", "add_argument_group", "add_mutually_exclusive_group", "add_subparsers",
    "parse_args", "parse_intermixed_args", "parse_known_args", "parse_known_intermixed_args",
    "set_defaults", "get_default", "print_help", "print_usage", "format_help", "format_usage",
    "error", "exit",
}
TEXTS = {"description", "epilog", "prog", "usage"}
ACTIONS = {
    "store", "store_const", "store_true", "store_false", "append", "append_const", "count", "help",
    "version", "extend",
}
GROUPS = {"add_argument_group", "add_mutually_exclusive_group"}
# They look at what they are given, and leave it as it is.
LOOKING = {
    "len", "print", "str", "repr", "list", "tuple", "set", "sorted", "enumerate", "join", "format", "dumps",
    "info", "debug", "warning",
}


class Names:
    """What the names of a script stand for, as far as that shows."""

    def __init__(self, tree):
        self.argparse, self.parsers, self.sys = set(), set(), {"sys"}
        self.functions = {}
        others, methods, defined = set(), set(), []
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                others.add(node.name)
                methods.update(id(child) for child in node.body)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                defined.append(node)
            elif isinstance(node, ast.Import):
                for name in node.names:
                    bound = name.asname or name.name.split(".")[0]
                    if name.name == "sys":
                        self.sys.add(bound)
                    (self.argparse if name.name == "argparse" else others).add(bound)
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    own = node.module == "argparse" and node.level == 0
                    if own and name.name in ("ArgumentParser", "*"):
                        self.parsers.add(name.asname or "ArgumentParser")
                    elif not own:
                        others.add("ArgumentParser" if name.name == "*" else name.asname or name.name)
        # A name that stands for two things may stand for either.
        plain_functions = [node for node in defined if id(node) not in methods]
        names = [node.name for node in plain_functions]
        self.argparse -= others | set(names)
        self.parsers -= others | set(names)
        for node in plain_functions:
            if names.count(node.name) == 1 and node.name not in others and not node.decorator_list:
                self.functions[node.name] = node

    def makes_parser(self, node):
        """Whether a call makes a parser of argparse itself."""
        if not isinstance(node, ast.Call):
            return False
        function = node.func
        if isinstance(function, ast.Attribute):
            return function.attr == "ArgumentParser" and spelled(function.value) in self.argparse
        return isinstance(function, ast.Name) and function.id in self.parsers

    def own(self, node):
        """The function of the script that is called; empty for any other."""
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        return name if name in self.functions else ""

    def parameter(self, function, index):
        """The name of a parameter of a function of the script."""
        arguments = self.functions[function].args
        all_of_them = getattr(arguments, "posonlyargs", []) + arguments.args
        if index < len(all_of_them):
            return all_of_them[index].arg
        return arguments.vararg.arg if arguments.vararg else ""

    def is_arguments(self, node):
        """Whether it is the command line, whole and as it came: sys.argv[1:], or None."""
        if isinstance(node, ast.Constant):
            return node.value is None
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
            return False
        part = node.slice
        return (
            self.is_argv(node.value)
            and getattr(part.lower, "value", None) == 1
            and part.upper is None
            and part.step is None
        )

    def is_argv(self, node):
        return isinstance(node, ast.Attribute) and node.attr == "argv" and spelled(node.value) in self.sys


class Script(ast.NodeVisitor):
    """What a script does with argparse, and what it imports.

    A flag that it does not know is certain only where everything is understood that it does with its
    parsers and with sys.argv. Whatever is not goes to open.
    """

    def __init__(self, tree):
        self.names = Names(tree)
        self.flags = {}
        self.open = []
        self.made = 0
        self.receivers = set()
        self.origins = {}
        self.parameters = set()
        self.defaults = set()
        self.altered = set()
        self.seen = set()
        self.uses = []
        self.handed = []
        self.loose = []
        self.returns = {}
        self.makers_needed = []
        self.lists = []
        self.called = set()
        self.mentioned = set()
        self.parsed = []
        self.imports = []
        self.path_changes = []
        self.abbreviations = True
        self.depth = 0
        self.conditions = 0
        self.tries = 0
        self.inside = [""]

    def unclear(self, why):
        """It may know more flags, or fewer, than those that it is seen to add."""
        self.open.append(why)

    def understood(self, *nodes):
        """Uses of a parser, or of sys.argv, that change nothing; all others are unclear."""
        self.seen.update(id(node) for node in nodes)

    def maybe(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_Lambda = maybe

    def visit_With(self, node):
        if any("SystemExit" in ast.dump(item.context_expr) for item in node.items):
            self.unclear("line %d goes on after SystemExit" % node.lineno)
        self.maybe(node)

    visit_AsyncWith = visit_With

    def visit_If(self, node):
        main = "__name__" in ast.dump(node.test)
        self.conditions += 0 if main else 1
        self.maybe(node)
        self.conditions -= 0 if main else 1

    def conditional(self, node):
        self.conditions += 1
        self.maybe(node)
        self.conditions -= 1

    visit_While = visit_IfExp = visit_BoolOp = visit_Match = conditional

    def visit_For(self, node):
        self.understood_argv(node.iter)
        self.conditional(node)

    visit_AsyncFor = visit_For

    def visit_comprehension(self, node):
        self.understood_argv(node.iter)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = conditional

    def visit_Try(self, node):
        for handler in node.handlers:
            what = ast.dump(handler.type) if handler.type else "BaseException"
            ends = any(isinstance(inner, ast.Raise) for inner in ast.walk(handler))
            if ("BaseException" in what or "SystemExit" in what) and not ends:
                if any(self.may_parse(inner) for step in node.body for inner in ast.walk(step)):
                    self.unclear("line %d goes on after SystemExit" % handler.lineno)
        self.tries += 1
        self.maybe(node)
        self.tries -= 1

    visit_TryStar = visit_Try

    def may_parse(self, node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr.startswith("parse_")
        name = self.names.own(node)
        return name == "main" or bool(name) and "'parse_" in ast.dump(self.names.functions[name])

    def visit_FunctionDef(self, node):
        arguments = node.args
        plain = getattr(arguments, "posonlyargs", []) + arguments.args
        extra = [one for one in (arguments.vararg, arguments.kwarg) if one]
        self.parameters.update(one.arg for one in plain + arguments.kwonlyargs + extra)
        given = list(zip(plain[::-1], arguments.defaults[::-1]))
        given += list(zip(arguments.kwonlyargs, arguments.kw_defaults))
        for one, default in given:
            if default is not None and not self.names.is_arguments(default):
                self.defaults.add(one.arg)
        kept, self.conditions = self.conditions, 0
        self.inside.append(node.name)
        self.maybe(node)
        self.inside.pop()
        self.conditions = kept

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Import(self, node):
        for name in node.names:
            self.imports.append((name.name, node.lineno, self.depth == 0))

    def visit_ImportFrom(self, node):
        if node.level == 0 and node.module:
            self.imports.append((node.module, node.lineno, self.depth == 0))
        if node.module == "sys" and any(name.name in ("argv", "*") for name in node.names):
            self.unclear("sys.argv has another name in line %d" % node.lineno)

    def visit_Return(self, node):
        if node.value is not None:
            self.understood(node.value)
            self.returns.setdefault(self.inside[-1], []).append(node.value)
        self.generic_visit(node)
        if self.conditions:
            # What follows in this function may not be reached.
            self.conditions += 1000

    def assign(self, targets, value):
        for target in targets:
            name = spelled(target)
            if name:
                self.understood(target)
                self.origins.setdefault(name, []).append(value)
        self.understood(*([value] if isinstance(value, ast.Call) else []))

    def visit_Assign(self, node):
        self.assign(node.targets, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.assign([node.target], node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node):
        self.assign([node.target], node.value)
        self.generic_visit(node)

    def visit_Compare(self, node):
        self.understood(node.left, *node.comparators)
        self.generic_visit(node)

    def understood_argv(self, *nodes):
        self.understood(*(node for node in nodes if self.names.is_argv(node)))

    def visit_Subscript(self, node):
        if isinstance(node.ctx, ast.Load):
            self.understood_argv(node.value)
        else:
            self.altered.add(spelled(node.value))
        self.generic_visit(node)

    def visit_BinOp(self, node):
        self.understood_argv(node.left, node.right)
        self.generic_visit(node)

    def visit_Starred(self, node):
        self.understood_argv(node.value)
        self.generic_visit(node)

    visit_FormattedValue = visit_Starred

    def visit_Name(self, node):
        self.use(node)

    def visit_Attribute(self, node):
        if node.attr == "path" and isinstance(node.value, ast.Name) and node.value.id == "sys":
            self.path_changes.append(node.lineno)
        if node.attr in TEXTS or spelled(node.value) in self.names.sys:
            self.understood(node.value)
        if self.names.is_argv(node) and (id(node) not in self.seen or not isinstance(node.ctx, ast.Load)):
            self.unclear("sys.argv is changed or given away in line %d" % node.lineno)
        if not isinstance(node.ctx, ast.Load):
            root = spelled(node).split(".")[0]
            if node.attr == "required" or root in self.names.argparse | self.names.parsers:
                self.unclear("line %d changes what argparse does" % node.lineno)
        self.mentioned.add(node.attr)
        self.altered.add(spelled(node.value))
        self.use(node)
        self.generic_visit(node)

    def use(self, node):
        name = spelled(node)
        if not isinstance(node.ctx, ast.Load):
            if id(node) not in self.seen:
                self.origins.setdefault(name, []).append(node)
        else:
            self.mentioned.add(name)
            if id(node) not in self.seen:
                self.uses.append((name, node.lineno, "something else"))

    def visit_Call(self, node):
        name = called(node)
        function = self.names.own(node)
        if function and self.conditions == 0:
            self.called.add(function)
        if isinstance(node.func, ast.Attribute) and name in METHODS:
            self.method(node, name)
        elif self.names.makes_parser(node) or name.endswith("ArgumentParser"):
            self.make_parser(node, name)
        arguments = node.args + [keyword.value for keyword in node.keywords]
        if function:
            self.understood(*(one for one in arguments if not self.names.is_argv(one)))
            for index, argument in enumerate(node.args):
                self.handed.append((argument, self.names.parameter(function, index), node.lineno))
            for keyword in node.keywords:
                self.handed.append((keyword.value, keyword.arg or "", node.lineno))
            if id(node) not in self.seen:
                self.loose.append((function, node.lineno))
        elif name in LOOKING:
            self.understood_argv(*node.args)
        for one in arguments:
            if isinstance(one, (ast.Name, ast.Attribute)) and not function and id(one) not in self.seen:
                self.uses.append((spelled(one), node.lineno, name or "something"))
                if not self.names.is_argv(one):
                    self.understood(one)
        self.generic_visit(node)

    def visit_Expr(self, node):
        self.understood(node.value)
        self.generic_visit(node)

    def method(self, node, name):
        receiver = node.func.value
        if name == "error" or name == "exit":
            # Also of loggers, and of sys.
            self.understood(receiver)
            return
        self.understood(receiver)
        if isinstance(receiver, ast.Call):
            self.makers_needed.append(receiver)
        elif name == "add_argument" or name.startswith("parse_") or name in GROUPS:
            self.receivers.add(spelled(receiver))
        if name == "add_argument":
            self.add_argument(node)
        elif name.startswith("parse_known_"):
            self.unclear("%s in line %d" % (name, node.lineno))
        elif name == "add_subparsers":
            self.unclear("it has subcommands")
        elif name.startswith("parse_"):
            if self.conditions == 0:
                self.parsed.append(self.inside[-1])
            if node.keywords or len(node.args) > 1:
                self.unclear("line %d parses a list of its own" % node.lineno)
            elif node.args:
                self.understood(node.args[0])
                self.lists.append((node.args[0], node.lineno))

    def make_parser(self, node, name):
        self.made += 1
        if not self.names.makes_parser(node):
            self.unclear("%s may know more" % (name if name != "ArgumentParser" else "its ArgumentParser"))
        if id(node) not in self.seen:
            self.unclear("line %d gives its parser away" % node.lineno)
        for keyword in node.keywords:
            if keyword.arg in ("parents", "fromfile_prefix_chars", "prefix_chars", "exit_on_error", None):
                self.unclear("%s of its parser" % keyword.arg)
            if keyword.arg == "allow_abbrev" and getattr(keyword.value, "value", None) is False:
                self.abbreviations = False

    def add_argument(self, node):
        names = [getattr(argument, "value", None) for argument in node.args]
        if not all(isinstance(name, str) for name in names):
            self.unclear("a flag in line %d is computed" % node.lineno)
            return
        values = {keyword.arg: keyword.value for keyword in node.keywords}
        flags = [name for name in names if name.startswith("-")]
        if None in values:
            self.unclear("what line %d adds is computed" % node.lineno)
        if "action" in values:
            action = values["action"]
            if "BooleanOptionalAction" in ast.dump(action):
                flags += ["--no-" + name[2:] for name in flags if name.startswith("--")]
            elif getattr(action, "value", None) not in ACTIONS:
                self.unclear("a flag in line %d has an action of its own" % node.lineno)
        if "nargs" in values:
            count = getattr(values["nargs"], "value", None)
            if not (isinstance(count, int) or count is None and isinstance(values["nargs"], ast.Constant)
                    or isinstance(count, str) and count in ("?", "*", "+")):
                self.unclear("a flag in line %d may take others for its values" % node.lineno)
        required = getattr(values.get("required"), "value", None) is True
        certain = required and self.conditions == 0 and self.tries == 0
        for flag in flags:
            self.flags[flag] = (tuple(flags), self.inside[-1]) if certain else ()

    def finish(self):
        """Whether all parsers that it fills are its own, and nothing unknown is done with them."""
        parsers = self.find_parsers()
        makers = self.find_makers(parsers)
        for name, line, where in self.uses:
            if name in parsers:
                self.unclear("line %d gives its parser to %s" % (line, where))
            elif name in self.names.sys:
                self.unclear("sys is given away in line %d" % line)
        for name in sorted(parsers):
            origins = self.origins.get(name, [])
            for origin in origins:
                self.check_origin(origin, makers)
            if not origins and name not in self.parameters:
                self.unclear("its parser comes from something else")
            if name in self.defaults:
                self.unclear("its parser comes from a default")
        for receiver in self.makers_needed:
            self.check_origin(receiver, makers)
        for function, line in self.loose:
            if function in makers:
                self.unclear("line %d gives its parser away" % line)
        for node, line in self.lists:
            if not self.is_whole(node):
                self.unclear("line %d parses a list of its own" % line)
        if not self.made:
            self.unclear("it makes no ArgumentParser")
        if not any(not where or where in self.mentioned for where in self.parsed):
            self.unclear("it may not come to parse_args")

    def find_parsers(self):
        parsers = set(self.receivers)
        for name, origins in self.origins.items():
            if any(self.names.makes_parser(origin) or called(origin) in GROUPS for origin in origins):
                parsers.add(name)
        while True:
            more = {
                parameter
                for argument, parameter, line in self.handed
                if spelled(argument) in parsers or self.names.makes_parser(argument)
            } - parsers
            if not more:
                return parsers - {""}
            parsers |= more

    def find_makers(self, parsers):
        """Functions of the script of which every answer is a parser of its own."""
        makers = set()
        while True:
            more = {
                name
                for name, answers in self.returns.items()
                if name in self.names.functions
                and all(
                    spelled(answer) in parsers
                    or self.names.makes_parser(answer)
                    or self.names.own(answer) in makers
                    for answer in answers
                )
            } - makers
            if not more:
                return makers
            makers |= more

    def check_origin(self, origin, makers):
        none = isinstance(origin, ast.Constant) and origin.value is None
        group = isinstance(origin, ast.Call) and called(origin) in GROUPS
        own = isinstance(origin, ast.Call) and self.names.own(origin) in makers
        if not (none or group or own or self.names.makes_parser(origin)):
            self.unclear("its parser comes from %s" % (called(origin) or "something else"))

    def is_whole(self, node):
        """Whether it is the command line as it came, also by way of a parameter."""
        if self.names.is_arguments(node):
            return True
        name = spelled(node)
        if name not in self.parameters or name in self.defaults | self.altered:
            return False
        values = self.origins.get(name, [])
        values = values + [value for value, parameter, line in self.handed if parameter == name]
        return all(self.names.is_arguments(value) for value in values) and not any(
            name == spelled(value) for value, parameter, line in self.handed
        ) and not any(name == used for used, line, where in self.uses)

    def required(self):
        """For each flag that must be given its spellings, where that is certain."""
        if self.made == 1:
            for flag, needed in self.flags.items():
                if needed and needed[0][0] == flag and (not needed[1] or needed[1] in self.called):
                    yield needed[0]


def spelled(node):
    """A variable, or an attribute of one, as text."""
    if isinstance(node, ast.Attribute):
        return spelled(node.value) + "." + node.attr
    return node.id if isinstance(node, ast.Name) else ""


def called(node):
    function = getattr(node, "func", None)
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
    script = Script(tree)
    script.visit(tree)
    script.finish()
    for flag in script.flags:
        row("flag", flag)
    for spellings in script.required():
        row("required", *spellings)
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
