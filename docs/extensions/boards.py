"""A Sphinx extension: below each complete example stands a link that opens it on a board.

In: the pages, and `studio_address`, the path from a page to an exported studio; without it no page
has such links.
"""

from __future__ import annotations

from docs.extensions.links import examples, link
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

TITLE = "Open on a board"


def add_links(app: Sphinx, page: nodes.document) -> None:
    """Put a link behind each block of a page that is a text, or changes one, without mistakes."""
    address = app.config.studio_address
    blocks = [b for b in page.findall(nodes.literal_block) if "language" in b] if address else []
    shown = examples([(block["language"], f"{block.astext().rstrip()}\n") for block in blocks])
    for block, opened in zip(blocks, shown, strict=True):
        if opened is not None:
            uri = f"{address}#{link(opened)}"
            reference = nodes.reference("", TITLE, refuri=uri, classes=["open-on-board"])
            block.parent.insert(block.parent.index(block) + 1, nodes.paragraph("", "", reference))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the links when a page has been read."""
    app.add_config_value("studio_address", "", "env", str)
    app.connect("doctree-read", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
