"""Run where nothing but the wheel and numpy is installed: README's Python block works there."""

import pathlib
import re

readme = pathlib.Path(__file__).parents[2] / "README.md"
(block,) = re.findall(r"^```python\n(.*?)^```", readme.read_text(), re.M | re.S)
names: dict[str, object] = {}
exec(compile(block, "README.md", "exec"), names)

model, facts = names["model"], names["facts"]
assert model.evaluate(facts).mrr > 0.3  # type: ignore[attr-defined]
assert model.embeddings["entity"].shape[1] == 64  # type: ignore[attr-defined]
