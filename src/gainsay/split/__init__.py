"""`gainsay split`: cuts a code base so that an analyzer scales out (SPLITMERGE)."""
