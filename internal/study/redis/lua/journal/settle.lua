-- Books a reply in place of its reservation.
if not exists() then return missing end
settle(args.reservation, args.used)
return answer({ state = 'ok' })
