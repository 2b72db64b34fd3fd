"""Print constraints.txt from the environment that the tests just passed in.

Usage: python scripts/constraints.py > constraints.txt

Only what the package and its extras need is listed, however much else is installed.
"""

from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("all", "dev", "docs")
HEADER = """\
# The versions that the tests pass with. To refresh: upgrade (.venv/bin/pip install -U -e ".[all,dev,docs]"), run
# .venv/bin/python scripts/constraints.py > new.txt && mv new.txt constraints.txt, then ./scripts/test. All of them must
# install on the oldest Python 3.11 that people still have: 3.11.2, Debian's.
"""


def main() -> None:
    """Print the header and one line for each distribution."""
    found: dict[str, str] = {}
    todo = [Requirement(f"steelyard[{','.join(EXTRAS)}]")]
    seen: set[str] = set()
    while todo:
        requirement = todo.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        try:
            dist = distribution(requirement.name)
        except PackageNotFoundError:
            continue
        found[canonicalize_name(requirement.name)] = dist.version
        extras = requirement.extras or {""}
        for text in dist.requires or []:
            needed = Requirement(text)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                todo.append(needed)
    del found["steelyard"]
    print(HEADER + "\n".join(f"{name}=={version}" for name, version in sorted(found.items())))


if __name__ == "__main__":
    main()
