-- Every delivery that is kept, with its message, oldest first.
sweep()
local found = {}
local all = call('HGETALL', key('mail:delivery'))
for i = 1, #all, 2 do
  local box, id = parts(all[i])
  local it = cjson.decode(all[i + 1])
  if it.state and (not args.box or args.box == box) and (not args.states or args.states[it.state]) then
    table.insert(found, { box = box, id = id, it = it })
  end
end
table.sort(found, function(a, b) return a.it.n < b.it.n or (a.it.n == b.it.n and a.box < b.box) end)
local shown = {}
for i = 1, math.min(#found, args.limit or #found) do
  local one = found[i]
  local info = load('mail:info', one.id)
  table.insert(shown, {
    id = one.id,
    text = call('HGET', key('mail:text'), one.id),
    created = info.created,
    expires = info.expires,
    attempts = one.it.attempts,
    box = one.box,
    state = one.it.state,
    reason = one.it.reason,
    owner = one.it.owner,
    untilMs = one.it.untilMs,
  })
end
return answer({ deliveries = shown })
