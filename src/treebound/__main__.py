"""``python -m treebound`` is the ``treebound`` command."""

from treebound.cli import main

if __name__ == "__main__":
    main()
