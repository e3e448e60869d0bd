"""Search services, one file each: how its request is built, and how its response is parsed. None knows another."""
