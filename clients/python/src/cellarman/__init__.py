"""Sends readings to Cellarman and keeps them on disk until they are stored."""

from ._client import Client
from ._errors import ClientError
from ._readings import Reading
from ._reports import Problem, RejectedReading, Status

__all__ = ["Client", "ClientError", "Problem", "Reading", "RejectedReading", "Status"]
