-- Begins a study: its first line and its totals.
if exists() then return answer({ state = 'taken' }) end
call('HSET', key('meta'), 'server', server())
push(args.batch)
store('budget', 'limits', args.limits)
return answer({ state = 'ok' })
