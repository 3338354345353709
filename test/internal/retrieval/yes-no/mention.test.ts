// How plainly texts state a word: in a sentence, in an address, refused.
import { expect, test } from 'vitest'
import { isRefusal, weighPlaces } from '../../../../internal/retrieval/yes-no/mention.ts'

const weigh = (text: string, isWeakFile = false) =>
  weighPlaces(text, [{ at: text.search(/ftp/i), term: 0, weight: 1 }], isWeakFile)[0]

test.each([
  ['It speaks FTP.', 1],
  ['See ftp://ftp.example.org/pub for more.', 0.5],
  ['Downloads are at ftp.example.org today.', 0.5],
  ['Schemes: `http://` and `ftp://`.', 1],
  ["if (url.protocol === 'ftp:') connect()", 1],
  ['FTP is not supported.', 1.5],
  ['An unsupported protocol, for example `ftp://www.example.com`.', 1.5],
])('%s: %d', (text, plain) => {
  expect(weigh(text)).toBe(plain)
})

test.each([
  ["test('uploads by FTP', () => upload())", 1],
  ["fetch('ftp://host/path')", 0.5],
  ['"text": "ftp: addresses cannot be fetched, only http and https"', 0],
  ["expect(() => open('ftp://a.test')).toThrow()", 0],
])('in a test or data: %s: %d', (text, plain) => {
  expect(weigh(text, true)).toBe(plain)
})

test('a denial far away does not apply', () => {
  expect(weigh(`ftp ${'x'.repeat(300)} refused`, true)).toBe(1)
  expect(weigh(`refused ${'x'.repeat(300)} ftp`, true)).toBe(1)
})

test('weighs each position of a text separately', () => {
  const text = 'ftp://a.example/x, and FTP itself'
  const places = [0, 23].map((at) => ({ at, term: 0, weight: 1 }))
  expect(weighPlaces(text, places, false)).toEqual([0.5, 1])
})

test('recognizes denials', () => {
  for (const text of ['is not done', "it doesn't", 'raises ValueError', 'kein FTP', 'denied'])
    expect(isRefusal(text), text).toBe(true)
  for (const text of ['is done', 'notable', 'knows']) expect(isRefusal(text), text).toBe(false)
})
