-- Sets new totals.
if not exists() then return missing end
store('budget', 'limits', args.limits)
return answer({ state = 'ok' })
