"""A hunt as one page: an HTML file that opens offline, or the same served live."""
