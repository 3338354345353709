// One-time codes of links: valid once, for ten minutes, and stored only as hashes.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLinkCode, linkCodeTtlMs, takeLinkCode } from '../../../../internal/service/server/link-code.ts'
import { scratch } from '../../../support/scratch.ts'

it('accepts a code once, also from many requests at the same time', async () => {
  const data = scratch()
  const codes = [await createLinkCode(data), await createLinkCode(data)]
  for (const code of codes) {
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeLinkCode(data, code)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await takeLinkCode(data, code)).toBe(false)
  }
})

it.each([
  ['at once', 0, true],
  ['just before its end', linkCodeTtlMs - 1, true],
  ['at its end', linkCodeTtlMs, false],
  ['a day later', 86_400_000, false],
])('accepts a code %s: %d ms, %s', async (_, after, isValid) => {
  const data = scratch()
  const code = await createLinkCode(data, 1_000)
  expect(await takeLinkCode(data, code, 1_000 + after)).toBe(isValid)
})

it('accepts no other text, and keeps the code valid meanwhile', async () => {
  const data = scratch()
  expect(await takeLinkCode(data, 'x'.repeat(43))).toBe(false)
  const code = await createLinkCode(data)
  const stored = readFileSync(join(data, 'server', 'codes.json'), 'utf8')
  expect(stored).not.toContain(code)
  expect(statSync(join(data, 'server', 'codes.json')).mode & 0o777).toBe(0o600)
  const hash = (JSON.parse(stored) as { hash: string }[])[0]?.hash ?? ''
  const changed = [...code].map(
    (letter, at) => code.slice(0, at) + (letter === 'A' ? 'B' : 'A') + code.slice(at + 1),
  )
  for (const text of ['', hash, code.slice(1), `${code}A`, code.toLowerCase(), ...changed])
    expect([text, await takeLinkCode(data, text)]).toEqual([text, false])
  expect(await takeLinkCode(data, code)).toBe(true)
})

it('removes expired codes when the next code is created', async () => {
  const data = scratch()
  await createLinkCode(data, 0)
  await createLinkCode(data)
  expect(JSON.parse(readFileSync(join(data, 'server', 'codes.json'), 'utf8'))).toHaveLength(1)
})
