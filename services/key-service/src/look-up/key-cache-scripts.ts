/**
 * What happens inside Redis in one step each. Redis 6.2 is enough.
 *
 * The state is one hash: epoch, applied, generation, and for each cellar the number of its last change
 * (`cellar:<name>`). Being one hash, it is there as a whole or not at all, whatever Redis evicts. An entry is a hash
 * too: the generation it belongs to, the number that it includes, its cellar, the record.
 */
export const SCRIPTS = {
  /** KEYS: state, entry. Answers the record or nil, then epoch, applied, generation. */
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

  /** KEYS: state, entry. ARGV: epoch, generation, number, cellar, record, seconds. */
  write: `
    local state = redis.call('HMGET', KEYS[1], 'epoch', 'applied', 'generation')
    if state[1] ~= ARGV[1] or state[3] ~= ARGV[2] then return {} end
    if tonumber(state[2]) > tonumber(ARGV[3]) then return {} end
    redis.call('HSET', KEYS[2], 'generation', ARGV[2], 'number', ARGV[3], 'cellar', ARGV[4], 'record', ARGV[5])
    redis.call('EXPIRE', KEYS[2], ARGV[6])
    return {}
  `,

  /** KEYS: state, entries that changed. ARGV: epoch, applied, generation as they were; applied as it becomes; cellars that changed. */
  apply: `
    local state = redis.call('HMGET', KEYS[1], 'epoch', 'applied', 'generation')
    if state[1] ~= ARGV[1] or state[2] ~= ARGV[2] or state[3] ~= ARGV[3] then return {} end
    for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
    for i = 5, #ARGV do redis.call('HSET', KEYS[1], 'cellar:' .. ARGV[i], ARGV[4]) end
    redis.call('HSET', KEYS[1], 'applied', ARGV[4])
    return { 'done' }
  `,

  /** KEYS: state. ARGV: epoch, applied, generation as they were; epoch, applied, generation as they become. */
  reset: `
    local state = redis.call('HMGET', KEYS[1], 'epoch', 'applied', 'generation')
    if (state[1] or '') ~= ARGV[1] or (state[2] or '0') ~= ARGV[2] or (state[3] or '') ~= ARGV[3] then return {} end
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[1], 'epoch', ARGV[4], 'applied', ARGV[5], 'generation', ARGV[6])
    return {}
  `,
} as const;
