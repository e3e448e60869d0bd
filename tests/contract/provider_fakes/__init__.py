"""Search services on loopback, as strict as the real ones, and every way in which they are known to fail."""
