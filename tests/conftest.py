"""What all tests share: machines may be busy, so that no test fails for being slow."""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
