-- Makes a name a known recipient, or says that its reader has ended for good.
if args.ended then
  call('HSET', key('mail:ended'), args.box, now)
else
  call('HSET', key('mail:joined'), args.box, now)
  call('HDEL', key('mail:ended'), args.box)
end
return answer({ state = 'ok' })
