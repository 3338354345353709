-- Takes the lease of a task and raises its epoch, or says why not.
if not exists() then return missing end
if not confirmed() then return restarted end
local lease = task(args.task)
if lease.ended then return answer({ state = 'ended' }) end
if args.epoch < lease.enqueued then return answer({ state = 'stale' }) end
if lease.owner and lease.untilMs > now then return answer({ state = 'busy', untilMs = lease.untilMs }) end
free(args.task)
-- a server that has lost its leases still learns from the jobs how far they were
lease.epoch = math.max(lease.epoch, lease.enqueued) + 1
lease.owner = args.owner
lease.untilMs = now + args.leaseMs
store('task', args.task, lease)
return answer({ state = 'ok', epoch = lease.epoch })
