// Lua scripts of kv-sessions.ts. Each runs atomically, so that across all nodes a message number is
// assigned once and a stream has one holder.

/**
 * Stores the session in KEYS[1] if it is not stored, for the ARGV[1] seconds until it expires.
 * `open` is false if it has ended or expired. Message numbers start at the current time in
 * milliseconds: a client may know numbers from before the store lost its data, and new ones must be
 * higher.
 */
const storeSession = `
local stored = redis.call('HMGET', KEYS[1], 'last', 'ended')
local open = not stored[2] and (stored[1] or tonumber(ARGV[1]) > 0)
if open and not stored[1] then
  local start = redis.call('TIME')[1] .. '000'
  redis.call('HSET', KEYS[1], 'last', start, 'written', start)
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end`

/**
 * In the first ARGV[3] seconds after a session was opened, a use does not store it. A later use does,
 * and the session then lasts ARGV[2] more seconds.
 */
export const isOpenScript = `
if redis.call('EXISTS', KEYS[1]) == 0 and tonumber(ARGV[1]) > ARGV[2] - ARGV[3] then return 1 end
${storeSession}
if not open then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1`

export const endSessionScript = `
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SREM', KEYS[4], ARGV[2])
redis.call('HSET', KEYS[1], 'ended', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1`

/**
 * A message is stored as <number>:<seconds since 1970>:<text>. Messages in KEYS[2] that are not
 * newer than `expired` are deleted when one is appended and when messages are read.
 */
const deleteExpired = `
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
while oldest and tonumber(string.match(oldest, '^%d+:(%d+):')) <= expired do
  redis.call('ZREM', KEYS[2], oldest)
  oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
end`

export const appendMessageScript = `
${storeSession}
if not open or not redis.call('SET', KEYS[3], 1, 'NX', 'EX', ARGV[2]) then return 0 end
local now = tonumber(ARGV[3])
local expired = now - tonumber(ARGV[2])
${deleteExpired}
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('ZADD', KEYS[2], number, number .. ':' .. now .. ':' .. ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return number`

/**
 * Returns the number of the last message, the number of the last one written to a stream, and
 * whether the session was stored before.
 */
export const takeStreamScript = `
${storeSession}
if not open then return false end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
redis.call('SADD', KEYS[3], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[2])
local log = redis.call('HMGET', KEYS[1], 'last', 'written')
return { log[1], log[2], stored[1] and 1 or 0 }`

export const readMessagesScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local expired = tonumber(ARGV[3])
${deleteExpired}
return redis.call('ZRANGE', KEYS[2], '(' .. ARGV[2], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[4])`

export const markWrittenScript = `
local written = tonumber(redis.call('HGET', KEYS[1], 'written'))
if written and written < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'written', ARGV[1]) end
return 1`

export const renewStreamScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[3])
return redis.call('HGET', KEYS[2], 'last')`

/**
 * Returns those of the sessions ARGV whose streams KEYS[2], KEYS[3], … are held, and removes the
 * others from KEYS[1]: a node that was killed has not released its streams. One script, because a
 * session may open a stream between check and removal.
 */
export const heldStreamsScript = `
local held = {}
for index, session in ipairs(ARGV) do
  if redis.call('EXISTS', KEYS[index + 1]) == 1 then held[#held + 1] = session
  else redis.call('SREM', KEYS[1], session) end
end
return held`

export const releaseStreamScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[2])
return 1`
