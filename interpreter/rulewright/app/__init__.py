"""The app: what people see and type.

In: words of a command line, messages of a page, requests of an editor. Out: the commands
(`cli/`), play at a terminal (`play/`), what editors ask (`service/`), the page (`studio/`),
engines to take away (`build/`).

Read first: `cli/__init__.py`, then the folder of what you see.
"""
