-- What every script begins with: its keys, the server's clock, and the answer of a request that arrives a second time.
local call = redis.call
local request, args = ARGV[1], cjson.decode(ARGV[2])

-- Whether this script has stored a value, and whether it has begun the log.
local stored, begun = false, false

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
local scores = { ['mail:queue'] = 0, ['mail:lease'] = '+inf', ['mail:expiry'] = '+inf', ['mail:done'] = '+inf' }
-- No recipient has the name `broadcast`, so these keys can contain it as an entry of nobody.
local recipients = { ['mail:joined'] = true, ['mail:read'] = true }

-- Gives a key an entry that belongs to no task, message or recipient. Without it Redis would delete the key, and its
-- expiry with it, whenever the last other entry is removed. `meta` and `log` are never empty.
local function fill(name)
  if scores[name] then
    call('ZADD', key(name), scores[name], '')
  elseif recipients[name] then
    call('HSETNX', key(name), 'broadcast', 0)
  elseif name ~= 'meta' and name ~= 'log' then
    call('HSETNX', key(name), ' ', '{}')
  end
end

-- Keys expire seven days after the last write, because no process removes them. All are made at once, so one field of
-- `meta` says for all of them when the expiry was set. It is set again once an hour, and with the first line of a log.
local function keep()
  local renewed = tonumber(call('HGET', key('meta'), 'renewed'))
  if renewed and not begun and math.abs(now - renewed) < 3600000 then return end
  call('HSET', key('meta'), 'renewed', string.format('%d', now))
  for _, name in ipairs(names) do
    fill(name)
    call('PEXPIRE', key(name), week)
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
