"""The web wing: from a URL or a question to clean, cited text."""
