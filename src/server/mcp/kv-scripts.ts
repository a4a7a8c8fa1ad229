// Lua scripts of kv-sessions.ts. Each runs atomically, so that across all nodes a message number is
// assigned once and a stream has one holder.

export const findSessionScript = `
local found = redis.call('HMGET', KEYS[1], 'workspaceId', 'keyId', 'protocolVersion')
if found[1] then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return found`

/**
 * A message is stored as <number>:<seconds since 1970>:<text>. Expired messages are deleted when a
 * new one is appended.
 */
export const appendMessageScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if not redis.call('SET', KEYS[3], 1, 'NX', 'EX', ARGV[1]) then return 0 end
local now = tonumber(ARGV[2])
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
while oldest and tonumber(string.match(oldest, '^%d+:(%d+):')) < now - tonumber(ARGV[1]) do
  redis.call('ZREM', KEYS[2], oldest)
  oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
end
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('ZADD', KEYS[2], number, number .. ':' .. now .. ':' .. ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[1])
return number`

export const takeStreamScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return redis.call('HMGET', KEYS[1], 'last', 'written')`

export const readMessagesScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local page = {}
for _, entry in ipairs(redis.call('ZRANGE', KEYS[2], '(' .. ARGV[2], '+inf', 'BYSCORE')) do
  if tonumber(string.match(entry, '^%d+:(%d+):')) > tonumber(ARGV[3]) then page[#page + 1] = entry end
  if #page == tonumber(ARGV[4]) then break end
end
return page`

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

export const releaseStreamScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[2])
return 1`
