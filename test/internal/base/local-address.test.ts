// Addresses that count as local to the user.
import { expect, test } from 'vitest'
import { isLocalAddress } from '../../../internal/base/local-address.ts'

const own = [
  'localhost',
  '127.0.0.1',
  '127.8.0.9',
  '[::1]',
  '10.0.0.4',
  '172.20.1.1',
  '192.168.1.20',
  'gpu.lan',
]
const others = [
  'api.openai.com',
  '172.32.0.1',
  '11.0.0.1',
  'localhost.example.org',
  '127.example.org',
  '8.8.8.8',
]

test.each(own)('%s is a local address', (host) => expect(isLocalAddress(`http://${host}:8080/v1`)).toBe(true))
test.each(others)('%s is not a local address', (host) =>
  expect(isLocalAddress(`https://${host}/v1`)).toBe(false),
)
test('rejects text that is not a URL', () => expect(isLocalAddress('nowhere')).toBe(false))
