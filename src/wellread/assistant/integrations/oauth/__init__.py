"""Access that a user grants by OAuth 2.0: authorization link, redirect, token renewal, revocation."""
