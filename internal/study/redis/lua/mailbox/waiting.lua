-- How many messages of a mailbox are still to be acknowledged.
sweep()
local count = tonumber(call('HGET', key('mail:count'), args.box) or 0)
local held = tonumber(call('HGET', key('mail:held'), args.box) or 0)
return answer({ queued = count - held, leased = held })
