-- Posts readings of racks 1 to 1,000 with varying values. The requests are made before the run, so that wrk costs little.
-- wrk ... -s wrk-readings.lua ADDRESS -- API_KEY CELLAR RACKS

local prepared, next_request = {}, 0

function init(args)
  local api_key, cellar, racks = args[1], args[2], tonumber(args[3] or "1000")
  local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = api_key }
  local now = os.time()
  math.randomseed(now)
  for i = 1, 20000 do
    local body = string.format(
      '{"cellar":"%s","rack":"rack-%d","keg":"temperature","value":%.4f,"timestamp":"%s.%06dZ"}',
      cellar, math.random(racks), math.random() * 100, os.date("!%Y-%m-%dT%H:%M:%S", now - math.random(600)), math.random(999999))
    prepared[i] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  next_request = next_request % #prepared + 1
  return prepared[next_request]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"durationMs":%.0f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1000, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
