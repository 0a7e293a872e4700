"""Our obfuscator: changes chosen by how much they hide in all families of style at once."""
