"""Fails when a link of the given documents leads to no file. usage: python3 links.py DOCUMENT..."""

import re
import sys
from pathlib import Path

bad = [f"{name}: {target}" for name in sys.argv[1:]
       for target in re.findall(r"\]\(([^)#\s]+)", Path(name).read_text(encoding="utf-8"))
       if "://" not in target and not (Path(name).parent / target).exists()]  # fmt: skip
print("\n".join(bad))
sys.exit(len(bad) > 0)
