// Percent signs in user names and passwords of URLs, as their users of the network read them.
import { urlToHttpOptions } from 'node:url'
import { expect, test } from 'vitest'
import { decodePercent, encodeCredentials } from '../../../internal/base/url-credentials.ts'

const rows = [
  ['', ''],
  ['secret', 'secret'],
  ['50%off', '50%off'],
  ['%', '%'],
  ['a%40b', 'a@b'],
  ['a%40b%', 'a%40b%'],
  ['%ff', '%ff'],
  ['%E6%9C%AC', '本'],
  ["it's+%2B", "it's++"],
] as const

test.each(rows)('%j is decoded as %j', (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded)
})

test.each(rows.slice(1))('Node sends the password %j as %j', (text, decoded) => {
  const url = new URL(`https://user:${text}@host/v1`)
  encodeCredentials(url)
  expect(urlToHttpOptions(url).auth).toBe(`user:${decoded}`)
  const named = new URL(`https://${text}:secret@host/v1`)
  encodeCredentials(named)
  expect(urlToHttpOptions(named).auth).toBe(`${decoded}:secret`)
})

test('a URL without user and password stays the same', () => {
  const url = new URL('https://host/v1?a=50%off')
  encodeCredentials(url)
  expect(url.href).toBe('https://host/v1?a=50%off')
})
