-- Takes back lines that the server has lost, in order and as they are, and lets the study go on if these are the last.
local fresh = {}
local last = call('XLEN', key('log'))
for _, line in ipairs(args.batch) do
  if line.seq == last + #fresh + 1 then table.insert(fresh, line) end
end
push(fresh)
if args.limits and call('HEXISTS', key('budget'), 'limits') == 0 then store('budget', 'limits', args.limits) end
if args.final then call('HSET', key('meta'), 'server', server()) end
return answer({ state = 'ok', count = #fresh })
