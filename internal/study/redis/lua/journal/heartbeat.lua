-- Prolongs a lease that is still the task's newest.
if not exists() then return missing end
if not holds(args.fence) then return answer({ state = 'fenced' }) end
local lease = task(args.fence.task)
lease.untilMs = now + args.leaseMs
store('task', args.fence.task, lease)
return answer({ state = 'ok' })
