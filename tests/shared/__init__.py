"""What tests of several files share; no module here is a test, and no test imports a test."""
