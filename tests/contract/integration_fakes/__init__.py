"""Strict fakes of the services that the assistant works with, built from their public references."""
