// URLs of servers: accepted forms, and hidden passwords.
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import { hidePassword, parseRedisAddress } from '../../../../internal/study/redis/address.ts'

test.each([
  ['redis://localhost', 'redis://localhost'],
  ['redis://h:6380/2', 'redis://h:6380/2'],
  ['redis://:s3cret@h:6380/2', 'redis://h:6380/2'],
  ['redis://me:s3cret@h', 'redis://me@h'],
  ['rediss://me:a%40b:c@h:1/0', 'rediss://me@h:1/0'],
  ['redis://h?password=s3cret#s3cret', 'redis://h'],
  ['redis://[::1]:6379', 'redis://[::1]:6379'],
])('%s is shown as %s', (text, shown) => {
  expect(parseRedisAddress(text).shown).toBe(shown)
})

test.each([
  ['redis://me:50%off@h', '50%off'],
  ['redis://me:a%40b@h', 'a@b'],
  ['rediss://me:%@h', '%'],
])('the client reads the password of %s as %s', (text, password) => {
  const client = new Redis(parseRedisAddress(text).url, { lazyConnect: true })
  expect(client.options).toMatchObject({ username: 'me', password })
  client.disconnect()
})

test.each([
  '',
  'embeded',
  'http://h',
  'redis://',
  'redis://h/x',
  'redis://h:99999',
  'redis://u:s3cret@/1',
  'redis://team/app:s3cret@host:6379',
  '//h',
])('%s is rejected as a URL, and the error does not contain the password', (text) => {
  expect(() => parseRedisAddress(text)).toThrow(UserError)
  expect(() => parseRedisAddress(text)).not.toThrow(/s3cret/)
})

test.each([
  ['u:p@h', 'u@h'],
  ['redis://u:p@q@h', 'redis://u@h'],
  ['redis://:p/q@h', 'redis://h'],
  ['redis://team/app:s3cret@h:6379', 'redis://h:6379'],
  ['redis://u?x:s3cret@h', 'redis://h'],
  ['redis://u#x:s3cret@h', 'redis://h'],
  ['u\n:s3cret@h', 'u\n@h'],
  ['redis://u@h', 'redis://u@h'],
  ['embedded', 'embedded'],
])('%s without its password is %s', (text, shown) => {
  expect(hidePassword(text)).toBe(shown)
})
