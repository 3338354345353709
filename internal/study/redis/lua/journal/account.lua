-- What is spent, held back and overrun, of the study or of one task.
if not exists() then return missing end
local account = booked(args.task)
return answer({
  state = 'ok',
  spent = { tokens = account.tokens, usd = account.usd },
  reserved = reserved(args.task, holdings()),
  overrun = { tokens = account.over_tokens, usd = account.over_usd },
})
