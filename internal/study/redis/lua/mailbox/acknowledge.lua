-- Marks messages as read, also late ones: after the end of their lease, or when they were set aside meanwhile.
for _, id in ipairs(args.ids) do
  local it = load('mail:delivery', args.box .. ' ' .. id)
  if it and it.state ~= 'acked' then
    it.reason = nil
    it.step = args.step
    move(args.box, id, it, 'acked')
  end
end
prune()
return answer({ state = 'ok' })
