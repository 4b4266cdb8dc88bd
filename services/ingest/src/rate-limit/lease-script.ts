/**
 * Leases tokens from the bucket of a key that all replicas share. It runs inside Redis, so that it is atomic and only
 * Redis's clock counts.
 *
 * KEYS[1] the bucket. ARGV: tokens per second, burst, tokens wanted, unused tokens of the last lease given back.
 * Answers {granted, remaining, milliseconds until one more}. A bucket that has filled up expires.
 */
export const LEASE_SCRIPT = `
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local wanted, unused = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or burst, tonumber(state[2]) or now

local elapsed = math.max(0, now - at)
tokens = math.min(burst, tokens + unused + elapsed * rate / 1000)
local granted = math.max(0, math.min(wanted, math.floor(tokens)))
tokens = tokens - granted

redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) * 1000 / rate) + 1000)
local wait = tokens >= 1 and 0 or math.ceil((1 - tokens) * 1000 / rate)
return {granted, math.floor(tokens), wait}
`;
