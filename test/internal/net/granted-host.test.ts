// Hosts that may be granted: full names, and nothing that leads elsewhere.
import { expect, test } from 'vitest'
import { isGranted, readGrantedHost } from '../../../internal/net/granted-host.ts'

test.each([
  ['registry.npmjs.org', { name: 'registry.npmjs.org', port: undefined }],
  ['Example.COM.', { name: 'example.com', port: undefined }],
  ['example.com:8443', { name: 'example.com', port: 8443 }],
  ['my_host.example.com', { name: 'my_host.example.com', port: undefined }],
])('%s is a host', (text, host) => {
  expect(readGrantedHost(text)).toEqual(host)
})

const refused =
  `1.1.1.1 1.1.1.1:80 ::1 [::1]:80 [2606:4700::1111] 0x7f.1 2130706433 0177.0.0.1 localhost intranet
  *.example.com https://example.com example.com/path example.com:0 example.com:70000 user@example.com -a.example
  a..example example.com: ${'a'.repeat(64)}.example`.split(/\s+/)
test.each([...refused, '', 'two words.example', 'a.example\n'])('rejects %j', (text) => {
  expect(() => readGrantedHost(text)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'bad_args' }) }),
  )
})

test('a grant applies to its host and ports, in any spelling', () => {
  const grants = [readGrantedHost('a.example'), readGrantedHost('b.example:8080')]
  const table: [string, number, boolean][] = [
    ['a.example', 443, true],
    ['A.Example.', 80, true],
    ['a.example', 22, false],
    ['b.example', 8080, true],
    ['b.example', 443, false],
    ['x.a.example', 443, false],
    ['aXexample', 443, false],
  ]
  for (const [host, port, is] of table)
    expect([host, port, isGranted(grants, host, port)]).toEqual([host, port, is])
})
