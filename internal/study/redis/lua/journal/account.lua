-- What is spent, held back and overrun, of the study or of one task.
if not exists() then return missing end
local booked, reserved = sum(args.task)
return answer({
  state = 'ok',
  spent = { tokens = booked.tokens, usd = booked.usd },
  reserved = reserved,
  overrun = { tokens = booked.over_tokens, usd = booked.over_usd },
})
