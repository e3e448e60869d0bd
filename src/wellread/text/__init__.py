"""What text is made of in every package: characters, dates, and text of others quoted in a prompt."""
