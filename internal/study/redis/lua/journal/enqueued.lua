-- Notes the epoch of the newest job of a task.
if not exists() then return missing end
local lease = task(args.task)
lease.enqueued = math.max(lease.enqueued, args.epoch)
store('task', args.task, lease)
return answer({ state = 'ok' })
