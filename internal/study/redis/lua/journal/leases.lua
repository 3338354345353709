-- Live leases.
if not exists() then return missing end
if not confirmed() then return restarted end
local live = {}
local all = call('HGETALL', key('task'))
for i = 1, #all, 2 do
  local lease = cjson.decode(all[i + 1])
  if lease.owner and lease.untilMs > now then
    table.insert(live, { task = all[i], owner = lease.owner, epoch = lease.epoch, untilMs = lease.untilMs })
  end
end
return answer({ state = 'ok', leases = live })
