"""A small encoder-decoder that writes a sentence again after some of its words were hidden."""
