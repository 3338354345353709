-- Prolongs the leases of a process, and says of each whether it is still the task's newest.
if not exists() then return missing end
local held = {}
for i, fence in ipairs(args.fences) do
  local lease = holds(fence)
  held[i] = lease and true or false
  if lease then
    lease.untilMs = now + args.leaseMs
    store('task', fence.task, lease)
  end
end
return answer({ state = 'ok', held = held })
