// Searches with a fixed expected result. Agreement with ripgrep is tested in against-ripgrep.test.ts.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TextQuery } from '../../../internal/search/text-query.ts'
import { searchText } from '../../../internal/search/text-search.ts'
import { means, plant } from '../../support/search.ts'

const wanted = (rest: Partial<TextQuery>): TextQuery => ({
  ...{ patterns: ['x'], regex: false, caseSensitive: false, word: false, max: 50, context: 0, room: 1 << 20 },
  ...rest,
})
const tree = (dir: string) => ({ dir, top: dir, hidden: false, guarded: true })
const lines = (n: number) => 'x\n'.repeat(n)

test('counts files over the limit to the end', async () => {
  const dir = plant({ a: lines(7), b: lines(2), 'we\nird': lines(3) })
  const found = await searchText(tree(dir), wanted({ max: 2, exact: true }), means())
  expect(found.capped).toEqual([
    { name: 'a', total: 7 },
    { name: 'we\nird', total: 3 },
  ])
  expect(found.files.map((file) => file.lines.length)).toEqual([2, 2, 2])
  const plain = await searchText(tree(dir), wanted({ max: 2 }), means({ programs: [] }))
  expect(plain.capped).toEqual(found.capped)
})

test('ripgrep finds a pattern that spans lines, and grep rejects it', async () => {
  const dir = plant({ a: 'one\ntwo\nthree\n' })
  const found = await searchText(tree(dir), wanted({ patterns: ['one\ntwo'] }), means())
  expect(found.files[0]?.lines.map((line) => line.line)).toEqual([1, 2])
  await expect(
    searchText(tree(dir), wanted({ patterns: ['one\ntwo'] }), means({ programs: [] })),
  ).rejects.toMatchObject({
    failure: { code: 'bad_args' },
  })
})

test.each([
  ['(x', /unclosed group/],
  ['x{2,1}', /repetition/],
  ['(?=x)', /look-around/],
])('%s is rejected in one line', async (pattern, reason) => {
  const refused = searchText(tree(plant({ a: 'x' })), wanted({ patterns: [pattern], regex: true }), means())
  await expect(refused).rejects.toMatchObject({ failure: { code: 'bad_args', message: reason } })
  const message = await refused.catch((error: Error) => error.message)
  expect(message).not.toContain('\n')
})

test('also rejects a bad expression for grep', async () => {
  const refused = searchText(
    tree(plant({ a: 'x' })),
    wanted({ patterns: ['x\\('], regex: true }),
    means({ programs: [] }),
  )
  await expect(refused).resolves.toMatchObject({ files: [] })
  const bad = searchText(
    tree(plant({ a: 'x' })),
    wanted({ patterns: ['(x'], regex: true }),
    means({ programs: [] }),
  )
  await expect(bad).rejects.toMatchObject({ failure: { code: 'bad_args' } })
})

test('fails as unavailable if neither ripgrep nor grep can run', async () => {
  const refused = searchText(tree(plant({ a: 'x' })), wanted({}), { ...means(), run: undefined })
  await expect(refused).rejects.toMatchObject({ failure: { code: 'unavailable' } })
})

test('searches for patterns that look like options', async () => {
  const dir = plant({ a: '--help\n-e\n' })
  for (const pattern of ['--help', '-e', '-']) {
    for (const programs of [means().programs, []]) {
      const found = await searchText(tree(dir), wanted({ patterns: [pattern] }), means({ programs }))
      expect(found.files[0]?.lines[0]?.text).toContain(pattern)
    }
  }
})

test('returns the matches so far after a timeout', async () => {
  const dir = plant({ a: 'x', rg: "#!/bin/sh\nprintf './a\\0001:1:x\\n\\n./b'\nsleep 30\n" })
  chmodSync(join(dir, 'rg'), 0o755)
  const slow = means({ programs: [join(dir, 'rg')], timeoutMs: 300 })
  const found = await searchText(tree(dir), wanted({}), slow)
  expect(found.ended).toBe('timeout')
  expect(found.files.map((file) => file.name)).toEqual(['a'])
})

test('reports that a search was cancelled', async () => {
  const dir = plant({ a: 'x' })
  const found = await searchText(tree(dir), wanted({}), means({ signal: AbortSignal.abort() }))
  expect(found.ended).toBe('cancelled')
})

test('does not try another program for a pattern that is too long', async () => {
  const refused = searchText(tree(plant({ a: 'x' })), wanted({ patterns: ['x'.repeat(300_000)] }), means())
  await expect(refused).rejects.toMatchObject({ failure: { code: 'too_large' } })
})
