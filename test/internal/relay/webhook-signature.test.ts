// Signatures: the vector that the specification publishes, and everything that makes one worthless.
import { expect, it } from 'vitest'
import {
  findSignatureFault,
  maxSkewSeconds,
  readWebhookSecret,
  signMessage,
} from '../../../internal/relay/webhook-signature.ts'

const key = readWebhookSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const now = 1_614_265_330_000

it('signs as the specification does', () => {
  expect(signMessage(key, id, body, now)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

it('takes what it has signed, for ten minutes, among other signatures too', () => {
  const headers = signMessage(key, id, body, now)
  for (const at of [now, now + maxSkewSeconds * 1000, now - maxSkewSeconds * 1000])
    expect(findSignatureFault(key, headers, body, at)).toBeUndefined()
  const more = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` }
  expect(findSignatureFault(key, more, body, now)).toBeUndefined()
})

it('refuses everything else', () => {
  const headers = signMessage(key, id, body, now)
  const fault = (over: Record<string, string>, text = body, at = now) =>
    findSignatureFault(key, { ...headers, ...over }, text, at)
  expect(fault({}, `${body} `)).toBe('its signature is wrong')
  expect(fault({ 'webhook-id': 'msg_2' })).toBe('its signature is wrong')
  expect(fault({ 'webhook-timestamp': '1614265331' })).toBe('its signature is wrong')
  expect(fault({ 'webhook-signature': '' })).toBe('its signature is wrong')
  expect(fault({ 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') ?? '' })).toBe(
    'its signature is wrong',
  )
  expect(fault({ 'webhook-timestamp': '-1' })).toBe('the time of its signature is invalid')
  expect(fault({}, body, now + (maxSkewSeconds + 1) * 1000)).toBe('its signature is of another time')
  expect(findSignatureFault(key, {}, body, now)).toBe('it is not signed')
  expect(findSignatureFault(readWebhookSecret('another secret'), headers, body, now)).toBe(
    'its signature is wrong',
  )
})
