"""What the model may ask for, one file per family; `wellread.assistant.ports.Tool` says what a tool is."""
