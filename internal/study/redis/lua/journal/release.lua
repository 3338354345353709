-- Ends the lease of an owner, for good when the task has ended.
if not exists() then return missing end
local lease = task(args.task)
if lease.owner == args.owner then
  lease.owner = nil
  lease.untilMs = 0
  lease.ended = lease.ended or args.ended
  store('task', args.task, lease)
  free(args.task)
end
return answer({ state = 'ok' })
