-- Hands out what waits in a mailbox, in the promised order, by lease; a peek only looks.
local rank = { error = 0, question = 1, result = 2, status = 3, broadcast = 4 }
local box = args.box
local queue = key('mail:queue')

if not args.peek then
  sweep()
  -- who reads a name makes it a known recipient of broadcasts; once a minute, so that waiting costs no writes
  if tonumber(call('HGET', key('mail:read'), box) or 0) < now - 60000 then call('HSET', key('mail:read'), box, now) end
end

local function senders()
  local found, from = {}, '[' .. box .. ' '
  while true do
    local place = call('ZRANGEBYLEX', queue, from, '(' .. box .. '!', 'LIMIT', 0, 1)[1]
    if not place then return found end
    local sender = string.match(place, '^%S* (%S*) ')
    table.insert(found, sender)
    from = '[' .. box .. ' ' .. sender .. '!'
  end
end

-- The messages of one sender that can be had; an earlier one that somebody else holds keeps the later ones back.
local function waiting(sender)
  local found, offset = {}, 0
  local from = box .. ' ' .. sender
  while #found < args.limit do
    local page = call('ZRANGEBYLEX', queue, '[' .. from .. ' ', '(' .. from .. '!', 'LIMIT', offset, 100)
    if #page == 0 then return found end
    for _, place in ipairs(page) do
      local id = string.match(place, '(%S*)$')
      local it = load('mail:delivery', box .. ' ' .. id)
      local held = it.state == 'leased' and it.untilMs > now
      local over = it.expires <= now or (it.state == 'leased' and not held and it.attempts >= most_tries)
      if held and it.owner ~= args.owner then return found end
      if not held and not over then
        table.insert(found, { id = id, it = it })
        if #found == args.limit then return found end
      end
    end
    offset = offset + #page
  end
  return found
end

local queues = {}
for _, sender in ipairs(senders()) do
  local found = waiting(sender)
  if #found > 0 then table.insert(queues, { at = 1, messages = found }) end
end

local function before(a, b)
  local left, right = rank[a.type] or 3, rank[b.type] or 3
  return left < right or (left == right and a.n < b.n)
end

local function pop()
  local best
  for _, one in ipairs(queues) do
    local head = one.messages[one.at]
    if head and (not best or before(head.it, best.messages[best.at].it)) then best = one end
  end
  if not best then return nil end
  best.at = best.at + 1
  return best.messages[best.at - 1]
end

local taken, room = {}, args.maxBytes
while #taken < args.limit do
  local next = pop()
  if not next then break end
  if room then
    room = room - next.it.size
    if room < 0 and #taken > 0 then break end
  end
  if not args.peek then
    next.it.attempts = next.it.attempts + 1
    next.it.owner = args.owner
    -- a lease that is over and that time has not yet ended is taken over
    next.it.untilMs = now + args.leaseMs
    move(box, next.id, next.it, 'leased')
  end
  local info = load('mail:info', next.id)
  table.insert(taken, {
    id = next.id,
    text = call('HGET', key('mail:text'), next.id),
    created = info.created,
    expires = info.expires,
    attempts = next.it.attempts,
  })
end
return answer({ messages = taken })
