"""One file for each analyzer that `gainsay split` can run."""
