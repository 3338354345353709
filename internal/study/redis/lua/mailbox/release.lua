-- Gives messages back before their lease ends; the try does not count.
for _, id in ipairs(args.ids) do
  local it = load('mail:delivery', args.box .. ' ' .. id)
  if it and it.state == 'leased' then
    it.attempts = it.attempts - 1
    move(args.box, id, it, 'queued')
  end
end
return answer({ state = 'ok' })
