"""Access that a user grants by OAuth 2.0: begun with a link, ended by a redirect, kept fresh, given back."""
