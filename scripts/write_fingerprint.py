"""Write the fingerprint of a known corpus: the table of its files, and its lines for the manifest.

Usage: python scripts/write_fingerprint.py ID PATH

PATH is a copy that is known to be whole, as its makers publish it; ID stands in manifest.toml already. The
table is written beside the manifest, the lines ``files``, ``bytes`` and ``digest`` into it.
"""

import re
import sys
from pathlib import Path

from stemmata.corpora import manifest
from stemmata.corpora.bundles import open_bundle
from stemmata.corpora.fingerprints import belongs, below, digest, pack_table, read_content


def main(name: str, path: Path) -> None:
    """Read the copy once and write what is to be known of it."""
    dataset = manifest.known()[name]
    bundle = open_bundle(path)
    files = sorted(one for one in bundle.sizes() if belongs(one) and not below(one, dataset.optional))
    contents = {one: read_content(stream) for one, stream in bundle.contents(files)}
    table = manifest.FOLDER / "fingerprint_tables" / f"{dataset.flat_id}.xz"
    table.write_bytes(pack_table(contents))
    size = sum(content.size for content in contents.values())
    facts = f'files = {len(contents)}\nbytes = {size}\ndigest = "{digest(contents)}"\n'
    place = manifest.FOLDER / "manifest.toml"
    text = place.read_text(encoding="utf-8")
    entry = re.compile(
        rf'(id = "{re.escape(name)}"\n(?:(?!files|bytes|digest|\n).*\n)*)(?:(?:files|bytes|digest) = .*\n)*'
    )
    place.write_text(entry.sub(lambda found: found[1] + facts, text, count=1), encoding="utf-8")
    print(f"{name}: {len(contents):,} files, {size:,} bytes, table of {table.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
