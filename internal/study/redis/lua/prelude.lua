-- What every script begins with: its keys, the server's clock, and the answer of a request that arrives a second time.
local call = redis.call
local request, args = ARGV[1], cjson.decode(ARGV[2])

-- The keys that this script names, and whether it has stored a value.
local named, stored = {}, false

local function key(name)
  named[name] = true
  return KEYS[1] .. name
end

local function clock()
  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local now = args.now or clock()

-- a client whose connection broke sends again what was not answered
local earlier = request ~= '' and call('GET', key('request:' .. request))
if earlier then return earlier end

-- A server without memory left refuses here, before anything has changed: it would stop in the middle otherwise.
local function demand_memory()
  call('HSETNX', key('meta'), 'messages', 0)
end

if request ~= '' then demand_memory() end

local week = 7 * 86400000
local names = {
  'meta', 'log', 'memo', 'task', 'budget', 'hold', 'mail:text', 'mail:info', 'mail:delivery', 'mail:queue', 'mail:lease',
  'mail:expiry', 'mail:done', 'mail:count', 'mail:held', 'mail:joined', 'mail:ended', 'mail:read', 'mail:key',
}

-- Keys expire seven days after the last write, because no process removes them. The expiry of all keys is set
-- again once an hour. When another number of keys exists, it is set for the keys that this script names, because
-- a new key has no expiry.
local function keep()
  local all = {}
  for i, name in ipairs(names) do all[i] = KEYS[1] .. name end
  local count = call('EXISTS', unpack(all))
  local earlier = call('HGET', key('meta'), 'keys') or ''
  local known, at = string.match(earlier, '^(%d+) (%d+)$')
  local isRecent = at and math.abs(now - tonumber(at)) < 3600000
  if isRecent and tonumber(known) == count then return end
  call('HSET', key('meta'), 'keys', string.format('%d %d', count, isRecent and tonumber(at) or now))
  for i, name in ipairs(names) do
    if named[name] or not isRecent then call('PEXPIRE', all[i], week) end
  end
end

-- The last thing that a script does.
local function answer(reply)
  local text = cjson.encode(reply)
  if request ~= '' then
    call('SET', key('request:' .. request), text, 'PX', args.remember or 3600000)
  end
  if request ~= '' or stored then keep() end
  return text
end

local function load(name, field)
  local text = call('HGET', key(name), field)
  return text and cjson.decode(text)
end

local function store(name, field, value)
  stored = true
  call('HSET', key(name), field, cjson.encode(value))
end
