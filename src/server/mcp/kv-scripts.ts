// Lua scripts of kv-sessions.ts. Each runs atomically, so that across all nodes a message number is
// assigned once and a stream has one holder. The callers receive `false` as null.

/**
 * Part of other scripts. Stores the session if it is not stored, for the `secondsLeft` until it
 * expires. `open` is false if it has ended or expired. Message numbers start at the current time in
 * milliseconds: a client may know numbers from before the store lost its data, and new ones must be
 * higher.
 */
const storeSession = `
local stored = redis.call('HMGET', session, 'last', 'ended')
local open = not stored[2] and (stored[1] or tonumber(secondsLeft) > 0)
if open and not stored[1] then
  local start = redis.call('TIME')[1] .. '000'
  redis.call('HSET', session, 'last', start, 'written', start)
  redis.call('EXPIRE', session, secondsLeft)
end`

/**
 * Returns 1 if the session is open, otherwise 0. In the first `unstoredSeconds` after a session was
 * opened, a use does not store it. A later use does, and the session then lasts `sessionSeconds`
 * more.
 */
export const isOpenScript = `
local session = KEYS[1]
local secondsLeft, sessionSeconds, unstoredSeconds = ARGV[1], ARGV[2], ARGV[3]
local isNew = tonumber(secondsLeft) > sessionSeconds - unstoredSeconds
if isNew and redis.call('EXISTS', session) == 0 then return 1 end
${storeSession}
if not open then return 0 end
redis.call('EXPIRE', session, sessionSeconds)
return 1`

/** Deletes what is stored about a session, and remembers for `endedSeconds` that it has ended. */
export const endSessionScript = `
local session, messages, stream, streaming = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local endedSeconds, sessionId = ARGV[1], ARGV[2]
redis.call('DEL', session, messages, stream)
redis.call('SREM', streaming, sessionId)
redis.call('HSET', session, 'ended', 1)
redis.call('EXPIRE', session, endedSeconds)`

/**
 * Part of other scripts. A message is stored as <number>:<seconds since 1970>:<text>. Messages that
 * are not newer than `expired`, in seconds since 1970, are deleted when one is appended and when
 * messages are read.
 */
const deleteExpired = `
local oldest = redis.call('ZRANGE', messages, 0, 0)[1]
while oldest and tonumber(string.match(oldest, '^%d+:(%d+):')) <= expired do
  redis.call('ZREM', messages, oldest)
  oldest = redis.call('ZRANGE', messages, 0, 0)[1]
end`

/**
 * Appends a message, unless the session has ended or expired, or the event with the key `appended`
 * was appended before. `now` is in seconds since 1970.
 */
export const appendMessageScript = `
local session, messages, appended = KEYS[1], KEYS[2], KEYS[3]
local secondsLeft, messageSeconds, now, text = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
${storeSession}
if not open or not redis.call('SET', appended, 1, 'NX', 'EX', messageSeconds) then return end
local expired = now - messageSeconds
${deleteExpired}
local number = redis.call('HINCRBY', session, 'last', 1)
redis.call('ZADD', messages, number, number .. ':' .. now .. ':' .. text)
redis.call('EXPIRE', messages, messageSeconds)`

/**
 * Makes `holder` the holder of the session's stream. Returns the number of the last message, the
 * number of the last one written to a stream, and whether the session was stored before (1 or 0);
 * `false` if the session has ended or expired.
 */
export const takeStreamScript = `
local session, stream, streaming = KEYS[1], KEYS[2], KEYS[3]
local secondsLeft, sessionSeconds, holder, streamSeconds, sessionId = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
${storeSession}
if not open then return false end
redis.call('EXPIRE', session, sessionSeconds)
redis.call('SET', stream, holder, 'EX', streamSeconds)
redis.call('SADD', streaming, sessionId)
redis.call('EXPIRE', streaming, sessionSeconds)
local numbers = redis.call('HMGET', session, 'last', 'written')
return { numbers[1], numbers[2], stored[1] and 1 or 0 }`

/**
 * Returns at most `limit` messages with a number above `after`; `false` if `holder` no longer holds
 * the stream.
 */
export const readMessagesScript = `
local stream, messages = KEYS[1], KEYS[2]
local holder, after, expired, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if redis.call('GET', stream) ~= holder then return false end
${deleteExpired}
return redis.call('ZRANGE', messages, '(' .. after, '+inf', 'BYSCORE', 'LIMIT', 0, limit)`

/** Records the number of the last message written to a stream, unless a higher one is recorded. */
export const markWrittenScript = `
local session, number = KEYS[1], ARGV[1]
local written = tonumber(redis.call('HGET', session, 'written'))
if written and written < tonumber(number) then redis.call('HSET', session, 'written', number) end`

/**
 * Returns the number of the last message; `false` if `holder` no longer holds the stream, or the
 * session is not stored.
 */
export const renewStreamScript = `
local stream, session, streaming = KEYS[1], KEYS[2], KEYS[3]
local holder, streamSeconds, sessionSeconds = ARGV[1], ARGV[2], ARGV[3]
if redis.call('GET', stream) ~= holder then return false end
redis.call('EXPIRE', stream, streamSeconds)
redis.call('EXPIRE', session, sessionSeconds)
redis.call('EXPIRE', streaming, sessionSeconds)
return redis.call('HGET', session, 'last')`

/**
 * ARGV are the ids of the sessions in KEYS[1], and the keys after it are their streams, in the same
 * order. Returns the sessions whose streams are held, and removes the others from KEYS[1]: a node
 * that was killed has not released its streams. One script, because a session may open a stream
 * between check and removal.
 */
export const heldStreamsScript = `
local streaming = KEYS[1]
local held = {}
for index, sessionId in ipairs(ARGV) do
  local stream = KEYS[index + 1]
  if redis.call('EXISTS', stream) == 1 then held[#held + 1] = sessionId
  else redis.call('SREM', streaming, sessionId) end
end
return held`

/** Does nothing if `holder` no longer holds the stream. */
export const releaseStreamScript = `
local stream, streaming = KEYS[1], KEYS[2]
local holder, sessionId = ARGV[1], ARGV[2]
if redis.call('GET', stream) ~= holder then return end
redis.call('DEL', stream)
redis.call('SREM', streaming, sessionId)`
