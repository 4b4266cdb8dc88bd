/** A state that no version or secret uses any more leaves Redis. Losing it in use costs a refill. */
const STATE_SECONDS = 7 * 24 * 3_600;

/**
 * What happens inside Redis in one step each. Redis 6.2 is enough.
 *
 * The state is one hash: epoch, applied, generation, and for each cellar the number of its last change
 * (`cellar:<name>`). Being one hash, it is there as a whole or not at all, whatever Redis evicts. An entry is a hash
 * too: the generation it belongs to, the number that it includes, its cellar, the record.
 */
export const SCRIPTS = {
  /** KEYS: state, entry. Returns the record or nil, then epoch, applied, generation. */
  read: `
    local state = redis.call('HMGET', KEYS[1], 'epoch', 'applied', 'generation')
    local entry = redis.call('HMGET', KEYS[2], 'generation', 'number', 'cellar', 'record')
    local record = false
    if state[3] and entry[1] == state[3] then
      local changed = redis.call('HGET', KEYS[1], 'cellar:' .. entry[3])
      if not changed or tonumber(entry[2]) >= tonumber(changed) then record = entry[4] end
    end
    return { record, state[1], state[2], state[3] }
  `,

  /** KEYS: state, entry. ARGV: generation, number, cellar, record, seconds. */
  write: `
    local state = redis.call('HMGET', KEYS[1], 'generation', 'applied')
    if state[1] ~= ARGV[1] or tonumber(state[2]) > tonumber(ARGV[2]) then return {} end
    redis.call('HSET', KEYS[2], 'generation', ARGV[1], 'number', ARGV[2], 'cellar', ARGV[3], 'record', ARGV[4])
    redis.call('EXPIRE', KEYS[2], ARGV[5])
    return {}
  `,

  /** KEYS: state, entries that changed. ARGV: generation and applied as they are; applied as it becomes; cellars that changed. */
  apply: `
    local state = redis.call('HMGET', KEYS[1], 'generation', 'applied')
    if state[1] ~= ARGV[1] or state[2] ~= ARGV[2] then return {} end
    for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
    for i = 4, #ARGV do redis.call('HSET', KEYS[1], 'cellar:' .. ARGV[i], ARGV[3]) end
    redis.call('HSET', KEYS[1], 'applied', ARGV[3])
    redis.call('EXPIRE', KEYS[1], ${STATE_SECONDS})
    return { 'done' }
  `,

  /** KEYS: state. ARGV: generation as it is; generation, epoch, applied as they become. */
  reset: `
    if (redis.call('HGET', KEYS[1], 'generation') or '') ~= ARGV[1] then return {} end
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'epoch', ARGV[3], 'applied', ARGV[4])
    redis.call('EXPIRE', KEYS[1], ${STATE_SECONDS})
    return {}
  `,
} as const;
