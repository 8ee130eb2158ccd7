"""The page reference/python.md, from the signatures and docstrings of python/orrery.

The sources are read by `ast` and not imported: the site needs no compiled package. What the options
mean is taken from the reference of the command line.
"""
import ast
import re

INTRODUCTION = """# Python reference

Made from the docstrings of `python/orrery`. The [Python guide](../python/index.md) shows how things are used.
"""


class Module:
    """A source file: its functions and classes by name, and where imported names come from."""

    def __init__(self, path):
        self.tree = ast.parse(path.read_text())
        self.defined = {node.name: node for node in self.tree.body
                        if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.imported = {name.asname or name.name: node.module.rpartition(".")[2]
                         for node in self.tree.body if isinstance(node, ast.ImportFrom) and node.module
                         for name in node.names}

    def public(self):
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
                return ast.literal_eval(node.value)
        raise ValueError("a module without __all__")


def found(folder, module, name):
    """The definition of a public name, where it is imported from if not here, with its module."""
    if name not in module.defined:
        module = Module(folder / f"{module.imported[name]}.py")
    return module.defined.get(name), module


def is_named(decorator, *names):
    return ast.unparse(decorator).rpartition(".")[2] in names


def plain_type(annotation):
    text = ast.unparse(annotation)
    text = re.sub(r"^'(.*)'$", r"\1", text)
    return re.sub(r"^Unpack\[(\w+)\]$", r"\1", text)


def argument_text(argument, default=None, stars=""):
    text = stars + argument.arg
    if argument.annotation is not None:
        text += f": {plain_type(argument.annotation)}"
    if default is not None:
        text += (" = " if argument.annotation is not None else "=") + ast.unparse(default)
    return text


def argument_texts(arguments, method):
    """Each argument as it is written, without `self`."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    texts = [argument_text(*pair) for pair in zip(plain, defaults)][1 if method else 0:]
    if arguments.vararg is not None:
        texts.append(argument_text(arguments.vararg, stars="*"))
    elif arguments.kwonlyargs:
        texts.append("*")
    texts += [argument_text(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg is not None:
        texts.append(argument_text(arguments.kwarg, stars="**"))
    return texts


def signature(node, name, method):
    """An argument a line where it is long."""
    returned = plain_type(node.returns) if node.returns else "None"
    arrow = f" -> {returned}" if returned != "None" else ""
    texts = argument_texts(node.args, method)
    line = f"{name}({', '.join(texts)}){arrow}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){arrow}"


def prose(node):
    """A docstring as Markdown: its examples are blocks."""
    text = ast.get_docstring(node)
    if not text:
        return ""
    pieces = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.lstrip().startswith(">>>"):
            pieces.append(f"```python\n{paragraph}\n```")
        else:
            pieces.append(paragraph.replace("``", "`"))
    return "\n\n".join(pieces) + "\n\n"


def function_page(node, name, level, method=False):
    return f"{'#' * level} {name}\n\n```python\n{signature(node, name, method)}\n```\n\n{prose(node)}"


def fields(node):
    """The annotated fields of a result, a row each."""
    rows = [(line.target.id, plain_type(line.annotation)) for line in node.body
            if isinstance(line, ast.AnnAssign) and not line.target.id.startswith("_")]
    if not rows:
        return ""
    return "| field | type |\n|---|---|\n" + "".join(
        f"| `{name}` | `{kind.replace('|', chr(92) + '|')}` |\n" for name, kind in rows) + "\n"


def properties(node):
    rows = []
    for line in node.body:
        if isinstance(line, ast.FunctionDef) and not line.name.startswith("_"):
            if any(is_named(decorator, "property") for decorator in line.decorator_list):
                kind = plain_type(line.returns).replace("|", "\\|")
                sentence = (ast.get_docstring(line) or "").replace("``", "`").replace("\n", " ")
                rows.append(f"| `{line.name}` | `{kind}` | {sentence} |\n")
    return "| property | type | |\n|---|---|---|\n" + "".join(rows) + "\n" if rows else ""


def members(folder, module, node):
    """What stands in a class and in those that it is made of and that have no page themselves."""
    inherited = []
    for base in map(ast.unparse, node.bases):
        if base.startswith("_"):
            definition, home = found(folder, module, base)
            inherited += members(folder, home, definition)
    return [*node.body, *inherited]


def class_page(folder, module, node, name, level):
    text = f"{'#' * level} {name}\n\n"
    maker = next((line for line in node.body
                  if isinstance(line, ast.FunctionDef) and line.name == "__init__"), None)
    takes = maker is not None and not any(
        argument.arg in ("core", "fields") for argument in maker.args.args)
    bases = [ast.unparse(base) for base in node.bases if not ast.unparse(base).startswith("_")]
    if takes:
        text += f"```python\n{signature(maker, name, True)}\n```\n\n"
    elif bases:
        text += f"A `{'`, `'.join(bases)}`.\n\n"
    text += prose(node) + fields(node) + properties(node)
    for line in members(folder, module, node):
        if not isinstance(line, ast.FunctionDef) or line.name.startswith("_"):
            continue
        if any(is_named(decorator, "property", "overload") for decorator in line.decorator_list):
            continue
        text += function_page(line, f"{name}.{line.name}", level + 1, method=True)
    return text


def module_page(folder, module, level):
    """Functions first, then classes, each in the order of the alphabet."""
    functions, classes = [], []
    for name in sorted(module.public()):
        node, home = found(folder, module, name)
        if isinstance(node, ast.FunctionDef):
            functions.append(function_page(node, name, level))
        elif isinstance(node, ast.ClassDef):
            classes.append(class_page(folder, home, node, name, level))
    return functions, classes


def told_options(command_line):
    """Keyword → (default, sentence) of the options that `orrery train` has."""
    section = re.search(r"^## orrery train\n(.*?)(?=^## )", command_line, re.M | re.S).group(1)
    rows = re.findall(r"^\| `--([\w-]+)` \|.*?\| (\S*) \| (.*) \|$", section, re.M)
    keywords = {"from": "from_"}
    return {keywords.get(name, name.replace("-", "_")): (default, sentence)
            for name, default, sentence in rows}


def keywords_page(folder, command_line):
    text, told = "", told_options(command_line)
    for name, node in Module(folder / "_keywords.py").defined.items():
        text += f"### {name}\n\n{prose(node)}| keyword | type | default | |\n|---|---|---|---|\n"
        for line in node.body:
            if isinstance(line, ast.AnnAssign):
                kind = re.sub(r"^Optional\[(.*)\]$", r"\1", ast.unparse(line.annotation))
                default, sentence = told[line.target.id]
                text += f"| `{line.target.id}` | `{kind}` | {default} | {sentence} |\n"
        text += "\n"
    return text


def python_reference(folder, command_line):
    """The page; `command_line` is the text of reference/command-line.md."""
    functions, classes = module_page(folder, Module(folder / "__init__.py"), 3)
    if not functions or not classes:
        raise ValueError(f"no public functions or classes in {folder}")
    estimator, splitters = module_page(folder, Module(folder / "sklearn.py"), 3)
    return (INTRODUCTION + "\n## Functions\n\n" + "".join(functions) + "## Classes\n\n" + "".join(classes)
            + "## orrery.sklearn\n\n" + "".join(estimator + splitters)
            + "## Keyword arguments\n\nLeft out, or `None`: what fits the data.\n\n"
            + keywords_page(folder, command_line))
