-- Puts a message into the mailboxes it is meant for. Refusals come before anything is stored.
local known_for = 86400000
local most_waiting = 10000

local used = args.key and load('mail:key', args.key)
if used and (not used.untilMs or used.untilMs > now) then return answer({ id = used.id, duplicate = true }) end

local function members()
  local found = {}
  local function add(name)
    if name ~= args.from and name ~= 'broadcast' and call('HEXISTS', key('mail:ended'), name) == 0 then found[name] = true end
  end
  for _, name in ipairs(call('HKEYS', key('mail:joined'))) do add(name) end
  local read = call('HGETALL', key('mail:read'))
  for i = 1, #read, 2 do
    if tonumber(read[i + 1]) > now - known_for then add(read[i]) end
  end
  local list = {}
  for name in pairs(found) do table.insert(list, name) end
  table.insert(list, 'broadcast')
  return list
end

sweep()
local open, dead, full = {}, {}, {}
for _, name in ipairs(args.to == 'broadcast' and members() or { args.to }) do
  if tonumber(call('HGET', key('mail:ended'), name) or now + 1) <= now then
    table.insert(dead, name)
  elseif tonumber(call('HGET', key('mail:count'), name) or 0) >= most_waiting then
    table.insert(full, name)
  else
    table.insert(open, name)
  end
end
if #open == 0 and #dead == 0 then return answer({ full = full, refused = true }) end

local n = call('HINCRBY', key('meta'), 'messages', 1)
local expires = now + args.expiresMs
call('HSET', key('mail:text'), args.id, args.text)
store('mail:info', args.id, { created = now, expires = expires, copies = #open + #dead, key = args.key })
if args.key then
  store('mail:key', args.key, { id = args.id, untilMs = args.keyMs and now + args.keyMs or nil })
end
local function deliver(name, state, reason)
  local it = { n = n, from = args.from, type = args.type, size = args.size, expires = expires, attempts = 0, reason = reason }
  move(name, args.id, it, state)
end
for _, name in ipairs(open) do deliver(name, 'queued') end
for _, name in ipairs(dead) do deliver(name, 'dead', 'dead_recipient') end
prune()
return answer({ id = args.id, open = open, dead = dead, full = full })
