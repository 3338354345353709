// The facts of one line: classes, what is touched, where redirections write.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineFacts } from '../../../internal/policy/line-facts.ts'
import { folder, policyOf, remove } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('a', 'b')
  writeFileSync(join(ws, 'x.txt'), '')
  writeFileSync(join(ws, '-n'), '')
  symlinkSync('/etc', join(ws, 'b/etc'))
})
afterAll(() => remove(ws))

const facts = (line: string) => lineFacts(line, ws, policyOf(ws))

test.each([
  ['ls > out', ['out'], false],
  ['ls > a/out 2> b/err', ['a/out', 'b/err'], false],
  ['ls > b/etc/x', ['/etc/x'], false],
  ["ls > '~/x'", ['~/x'], false],
  ['cd a; ls > out', ['out', 'a/out'], false],
  ['cd a && cd .. && ls > out', ['out', 'a/out'], true],
  ['cd $X; ls > out', ['out'], true],
  ['cd $X; ls > /out', ['/out'], false],
  ['ls > $X', [], true],
  ['ls > *.txt', [], true],
  ['ls > /dev/null 2>&1 >&2 2>&-', [], false],
  ['ls', [], false],
] as const)('%j writes %j', async (line, writes, blind) => {
  const found = await facts(line)
  const names = found.writes.map((place) => place.real)
  expect(names).toEqual(writes.map((name) => join(name.startsWith('/') ? '/' : ws, name)))
  expect(found.blind).toBe(blind)
})

test('returns the paths that a part of a class touches', async () => {
  const touches = async (line: string) => {
    const [part] = (await facts(line)).parts
    return part?.class && part.touches.map((place) => place.shown).sort()
  }
  expect(await touches('cat x.txt a/y')).toEqual(['.', 'a/y', 'x.txt'])
  expect(await touches('cat b/etc/passwd')).toEqual(['.', '/etc/passwd'])
  expect(await touches('cat b/*')).toEqual(['.', '/etc'])
  expect(await touches('cat *.txt')).toEqual(['.', 'x.txt'])
  expect(await touches('cat *')).toBeUndefined()
  expect(await touches('rm x.txt')).toBeUndefined()
  expect(await touches(`cat ${Array.from({ length: 2_000 }, (_, i) => `f${i}`).join(' ')}`)).toBeUndefined()
})

test('does not classify a command with too many changes of directory', async () => {
  const found = await facts('cd a; cd b; cd c; cd d; cd e; ls > out')
  expect(found.blind).toBe(true)
  expect(found.parts.every((part) => part.class === undefined)).toBe(true)
})
