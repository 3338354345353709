-- Mailboxes: queued -> leased -> acked or dead. Names are percent-encoded, so that a blank parts them.
local most_tries = 5
local kept = { acked = 7 * 86400000, dead = 30 * 86400000 }

local function alive(state)
  return state == 'queued' or state == 'leased'
end

-- Puts a delivery into a state and brings every index up to date; `it.state` is the old one, nil for a new delivery.
local function move(box, id, it, state)
  local name = box .. ' ' .. id
  local place = string.format('%s %s %016d %s', box, it.from, it.n, id)
  local was = it.state
  if alive(state) and not alive(was) then
    call('ZADD', key('mail:queue'), 0, place)
    call('ZADD', key('mail:expiry'), it.expires, name)
    call('HINCRBY', key('mail:count'), box, 1)
  elseif alive(was) and not alive(state) then
    call('ZREM', key('mail:queue'), place)
    call('ZREM', key('mail:expiry'), name)
    call('HINCRBY', key('mail:count'), box, -1)
  end
  if was == 'leased' then
    call('ZREM', key('mail:lease'), name)
    call('HINCRBY', key('mail:held'), box, -1)
  end
  if state == 'leased' then
    call('ZADD', key('mail:lease'), it.untilMs, name)
    call('HINCRBY', key('mail:held'), box, 1)
  else
    it.untilMs = nil
    if state ~= 'acked' then it.owner = nil end
  end
  if not alive(state) then call('ZADD', key('mail:done'), now + kept[state], name) end
  it.state = state
  store('mail:delivery', name, it)
end

local function parts(name)
  return string.match(name, '^(%S*) (%S*)$')
end

-- What time alone changes: expired messages, leases that are over, tries that are used up.
local function sweep()
  if request == '' then demand_memory() end
  for _, name in ipairs(call('ZRANGEBYSCORE', key('mail:expiry'), '-inf', now)) do
    local it = load('mail:delivery', name)
    local box, id = parts(name)
    it.reason = 'expired'
    move(box, id, it, 'dead')
  end
  for _, name in ipairs(call('ZRANGEBYSCORE', key('mail:lease'), '-inf', now)) do
    local it = load('mail:delivery', name)
    local box, id = parts(name)
    if it.attempts >= most_tries then
      it.reason = 'attempts'
      move(box, id, it, 'dead')
    else
      move(box, id, it, 'queued')
    end
  end
end

-- Removes finished deliveries whose time is over, a few at a time, and messages that none is left of.
local function prune()
  for _, name in ipairs(call('ZRANGEBYSCORE', key('mail:done'), '-inf', '(' .. now, 'LIMIT', 0, 200)) do
    local _, id = parts(name)
    call('ZREM', key('mail:done'), name)
    call('HDEL', key('mail:delivery'), name)
    local info = load('mail:info', id)
    info.copies = info.copies - 1
    if info.copies > 0 then
      store('mail:info', id, info)
    else
      call('HDEL', key('mail:info'), id)
      call('HDEL', key('mail:text'), id)
      local used = info.key and load('mail:key', info.key)
      if used and used.id == id then call('HDEL', key('mail:key'), info.key) end
    end
  end
end
