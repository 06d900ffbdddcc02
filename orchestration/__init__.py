"""Fragments of a question, the durable refresh-and-answer job, answer synthesis."""
