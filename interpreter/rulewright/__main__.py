"""`python -m rulewright`."""

import sys

from rulewright.cli import main

sys.exit(main())
