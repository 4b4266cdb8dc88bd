-- Posts readings with varying racks and values. Requests are made before the run, so that wrk costs little.
-- wrk ... -s wrk-readings.lua ADDRESS -- API_KEY CELLAR RACKS READINGS_IN_A_REQUEST [FILE_OF_API_KEYS]

local prepared, next_request, racks = {}, 0, 1000
local keys, next_key = {}, 0

-- All names of racks have the same length, so that a request stays as long whatever its rack.
local function rack_name()
  return string.format("rack-%07d", math.random(racks))
end

local function reading(cellar, rack, now)
  return string.format(
    '{"cellar":"%s","rack":"%s","keg":"temperature","value":%.4f,"timestamp":"%s.%06dZ"}',
    cellar, rack, math.random() * 100, os.date("!%Y-%m-%dT%H:%M:%S", now - math.random(600)), math.random(999999))
end

local function batch(cellar, size, now)
  local readings = {}
  for i = 1, size do readings[i] = reading(cellar, rack_name(), now) end
  return "[" .. table.concat(readings, ",") .. "]"
end

function init(args)
  local api_key, cellar, size = args[1], args[2], tonumber(args[4] or "1")
  if args[5] and args[5] ~= "" then
    for key in io.lines(args[5]) do keys[#keys + 1] = key end
    -- All keys have the same length.
    api_key = string.rep("k", #keys[1])
  end
  racks = tonumber(args[3] or "1000")
  local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = api_key }
  local now = os.time()
  math.randomseed(now)
  for i = 1, size == 1 and 20000 or 1000 do
    if size == 1 then
      -- The rack is put in when it is sent: there may be more racks than prepared requests.
      local request = wrk.format("POST", nil, headers, reading(cellar, "rack-0000000", now))
      local at = request:find("rack-0000000", 1, true)
      local before, after = request:sub(1, at - 1), request:sub(at + 12)
      if #keys > 0 then
        local key_at = before:find(api_key, 1, true)
        prepared[i] = { before:sub(1, key_at - 1), after, before:sub(key_at + #api_key) }
      else
        prepared[i] = { before, after }
      end
    else
      prepared[i] = { wrk.format("POST", nil, headers, batch(cellar, size, now)) }
    end
  end
end

function request()
  next_request = next_request % #prepared + 1
  local parts = prepared[next_request]
  if parts[3] then
    next_key = next_key % #keys + 1
    return parts[1] .. keys[next_key] .. parts[3] .. rack_name() .. parts[2]
  end
  if parts[2] then return parts[1] .. rack_name() .. parts[2] end
  return parts[1]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"durationMs":%.0f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f,"rejected":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1000, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
