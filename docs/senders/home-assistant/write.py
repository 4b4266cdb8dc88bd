"""Sends readings with influxdb-client, the library of Home Assistant's InfluxDB integration.

CELLARMAN_URL, API_KEY and CELLAR are environment variables. Each line of the input is a number.
"""

import os
import sys
import time

from influxdb_client import InfluxDBClient, Point, WriteOptions

client = InfluxDBClient(url=os.environ["CELLARMAN_URL"], token=os.environ["API_KEY"], org="any")
# Waits in memory for up to an hour: 429, 503 and lost responses are retried, after Retry-After.
options = WriteOptions(batch_size=500, flush_interval=1_000, max_retries=1_000, max_retry_time=3_600_000)
with client, client.write_api(options) as api:
    for line in sys.stdin:
        point = Point("boiler").tag("rack", "boiler-1").field("sequence", float(line)).time(time.time_ns())
        api.write(bucket=os.environ["CELLAR"], record=point)
