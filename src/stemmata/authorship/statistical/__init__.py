"""Our verifier: many families of features, each compared with what is usual among other texts."""
