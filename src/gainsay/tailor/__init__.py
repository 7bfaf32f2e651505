"""`gainsay tailor`: finds the options of an analyzer that prove most on given code within a limit (TAILOR, CAV
2021)."""
