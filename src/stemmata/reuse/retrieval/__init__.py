"""Where a text comes from: retrievers, which ask an index for sources and rank what they find."""
