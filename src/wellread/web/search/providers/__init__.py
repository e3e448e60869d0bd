"""Search services, one file each: how a query is put to it, and what its answers mean. None knows another."""
