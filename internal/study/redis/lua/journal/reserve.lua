-- Holds an amount back within the totals of the study and the cap of the task.
if not exists() then return missing end
if not confirmed() then return restarted end
local id = args.fence.task
if not holds(args.fence) then return answer({ state = 'fenced' }) end

local all = holdings()
local function room(of, limits, share)
  local account, held = booked(of), reserved(of, all)
  local left = {}
  for _, what in ipairs({ 'tokens', 'usd' }) do
    if limits[what] then left[what] = math.max(0, limits[what] * share - account[what] - held[what]) end
  end
  return left
end

local limits = load('budget', 'limits') or {}
for _, part in ipairs({ { 'study', room('', limits, args.share) }, { 'task', room(id, args.cap, 1) } }) do
  for _, what in ipairs({ 'tokens', 'usd' }) do
    if part[2][what] and args.amount[what] > part[2][what] then
      return answer({ state = 'refused', by = what, whose = part[1], left = part[2] })
    end
  end
end
store('hold', args.id, { task = id, tokens = args.amount.tokens, usd = args.amount.usd, live = true })
return answer({ state = 'ok', id = args.id })
