"""Pages of the site from the notebooks of examples/notebooks, with the outputs that they hold."""
import base64
import json
import re


def without_style(html):
    """The site has its own; pandas brings a style with every table."""
    return re.sub(r"<style.*?</style>\s*", "", html, flags=re.S).strip()


def output_text(output, picture):
    """An output in its richest form; `picture` keeps a PNG and gives its name."""
    data = output.get("data", {})
    if "image/png" in data:
        return f"![]({picture(base64.b64decode(data['image/png']))})"
    if "text/html" in data:
        return without_style("".join(data["text/html"]))
    text = "".join(output.get("text", data.get("text/plain", "")))
    return f"```text\n{text.rstrip()}\n```"


def notebook_page(path, out):
    """Writes one notebook as Markdown into the folder `out`, and its pictures beside it."""
    pictures = []

    def picture(content):
        pictures.append(f"{path.stem}-{len(pictures) + 1}.png")
        (out / pictures[-1]).write_bytes(content)
        return pictures[-1]

    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source.replace("](../../docs/", "](../../"))
        else:
            parts.append(f"```python\n{source}\n```")
            parts += [output_text(output, picture) for output in cell["outputs"]]
    parts.append(f"The notebook itself is `examples/notebooks/{path.name}`.")
    (out / f"{path.stem}.md").write_text("\n\n".join(parts) + "\n")


def write_notebook_pages(folder, out):
    notebooks = sorted(folder.glob("*.ipynb"))
    out.mkdir(parents=True, exist_ok=True)
    for path in notebooks:
        notebook_page(path, out)


def linked(text):
    """Links to notebooks as links to their pages; those of docs/python are beside them."""
    return re.sub(r"\]\(\.\./\.\./examples/notebooks/(\w+)\.ipynb\)", r"](notebooks/\1.md)", text)
