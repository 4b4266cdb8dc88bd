/** Refills the bucket of a key. KEYS[1] the bucket. ARGV[1], [2], [4]: tokens per second, burst, tokens returned. */
const REFILL = `
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local wanted, unused = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]) or burst, tonumber(state[2]) or now

local elapsed = math.max(0, now - at)
tokens = math.min(burst, tokens + unused + elapsed * rate / 1000)
`;

/** A bucket that has filled up expires. */
const STORE = `
redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) * 1000 / rate) + 1000)
`;

/**
 * Leases tokens from the bucket of a key that all replicas share. It runs inside Redis, so that it is atomic and only
 * Redis's clock counts.
 *
 * KEYS[1] the bucket. ARGV: tokens per second, burst, tokens wanted, unused tokens of the last lease to return.
 * Returns {granted, remaining, milliseconds until one more}.
 */
export const LEASE_SCRIPT = `${REFILL}
local granted = math.max(0, math.min(wanted, math.floor(tokens)))
tokens = tokens - granted
${STORE}
local wait = tokens >= 1 and 0 or math.ceil((1 - tokens) * 1000 / rate)
return {granted, math.floor(tokens), wait}
`;

/**
 * Takes what a request costs besides the tokens that it has taken already, all of it or nothing, and leases what is wanted
 * besides, as far as it is there. A bucket that was full before the request goes into debt for more than it holds.
 *
 * As above, and ARGV[5]: tokens needed, ARGV[6]: tokens that the request has taken. Returns {whether they were taken, granted,
 * what remains (negative: a debt), milliseconds until the request can pass from its beginning}.
 */
export const LEASE_MORE_SCRIPT = `${REFILL}
local needed, paid = tonumber(ARGV[5]), tonumber(ARGV[6])
local taken, granted, wait = 0, 0, 0
if tokens >= math.min(needed, burst - paid) then
  tokens = tokens - needed
  taken = 1
  granted = math.max(0, math.min(wanted, math.floor(tokens)))
  tokens = tokens - granted
else
  wait = math.ceil((math.min(needed + paid, burst) - tokens) * 1000 / rate)
end
${STORE}
return {taken, granted, math.floor(tokens), wait}
`;
