-- Counts how often a task was turned down by workers that cannot do it.
if not exists() then return missing end
return answer({ state = 'ok', count = call('HINCRBY', key('meta'), 'refused ' .. args.task, 1) })
