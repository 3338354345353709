-- Appends lines, all or none, under a fence if there is one, and books a reply in the same moment.
if not exists() then return missing end
if not confirmed() then return restarted end
if args.fence and not holds(args.fence) then return answer({ state = 'fenced' }) end
local seen = {}
for _, line in ipairs(args.batch) do
  if line.key then
    if seen[line.key] or call('HEXISTS', key('memo'), line.key) == 1 then
      return answer({ state = 'duplicate', key = line.key })
    end
    seen[line.key] = true
  end
end
local last = push(args.batch)
if args.settled then settle(args.settled.reservation, args.settled.used) end
return answer({ state = 'ok', last = last })
