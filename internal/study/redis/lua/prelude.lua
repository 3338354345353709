-- What every script begins with: its keys, the server's clock, and the answer of a request that arrives a second time.
local call = redis.call
local request, args = ARGV[1], cjson.decode(ARGV[2])

local function key(name)
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
-- again once an hour, and when another number of keys exists, because a new key has no expiry.
local function keep()
  local all = {}
  for i, name in ipairs(names) do all[i] = key(name) end
  local count = call('EXISTS', unpack(all))
  local left = call('PTTL', key('meta'))
  if left >= week - 3600000 and call('HGET', key('meta'), 'keys') == tostring(count) then return end
  call('HSET', key('meta'), 'keys', count)
  for _, name in ipairs(all) do call('PEXPIRE', name, week) end
end

-- The last thing that a script does.
local function answer(reply)
  local text = cjson.encode(reply)
  if request ~= '' then
    call('SET', key('request:' .. request), text, 'PX', args.remember or 3600000)
    keep()
  end
  return text
end

local function load(name, field)
  local text = call('HGET', key(name), field)
  return text and cjson.decode(text)
end

local function store(name, field, value)
  call('HSET', key(name), field, cjson.encode(value))
end
