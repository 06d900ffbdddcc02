"""Risk signs by 19 rules, each sign with its reason and evidence, and scores of everything they touch."""
