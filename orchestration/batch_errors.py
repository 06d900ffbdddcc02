"""What can go wrong with jobs.

JobsError
├── NoSuchJob          no job has this id
├── JobNotDone         its answer is not there yet
├── JobsUnreachable    the database of jobs cannot be reached
└── PayloadBroken      a payload that cannot be meant
"""

from __future__ import annotations


class JobsError(Exception):
    """Says where and what to do next."""


class NoSuchJob(JobsError):
    """No job has this id."""


class JobNotDone(JobsError):
    """The job is still waiting or running."""


class JobsUnreachable(JobsError):
    """The database of jobs does not answer."""


class PayloadBroken(JobsError):
    """The payload of a job cannot be read."""
