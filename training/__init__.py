"""Labelled questions to a bundle: checks, folds, fit, calibration, thresholds, report. Needs the extra ``train``."""
