-- Takes back lines that the server has lost, in order and as they are, and lets the study go on if these are the last.
local fresh = {}
local last = call('XLEN', key('log'))
for _, line in ipairs(args.batch) do
  if line.seq == last + #fresh + 1 then table.insert(fresh, line) end
end
push(fresh)
local function fill(field, value)
  if value and call('HEXISTS', key('budget'), field) == 0 then store('budget', field, value) end
end
fill('limits', args.limits)
fill('account ', args.spent and { tokens = args.spent.tokens, usd = args.spent.usd, over_tokens = 0, over_usd = 0 })
if args.final then call('HSET', key('meta'), 'server', server()) end
return answer({ state = 'ok', count = #fresh })
