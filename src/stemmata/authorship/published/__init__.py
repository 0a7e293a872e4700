"""The verifiers of PAN 2013 to 2015, each a short recipe of shared parts, named by its id at TIRA."""
