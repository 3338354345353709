// Decisions of mode `auto` for common commands, with and without trust, and for similar commands
// that need approval.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { classifyPart } from '../../../internal/policy/shell/command-classes.ts'
import { analyzeLine } from '../../../internal/policy/shell/line-analysis.ts'
import { git } from '../../support/repo.ts'
import { everydayLines, nearMisses } from './everyday-lines.ts'
import { bash, folder, judge, policyOf, remove } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('src')
  for (const name of ['a.txt', 'src/a.ts', 'package.json', '.env']) writeFileSync(join(ws, name), 'x\n')
  git(ws, 'init', '-q')
  git(ws, 'add', 'a.txt', 'src', 'package.json')
})
afterAll(() => remove(ws))

const action = async (line: string, trusted: boolean) =>
  (await judge(bash(line), policyOf(ws, { mode: 'auto', trusted }))).action

test.each(everydayLines)('%s is allowed in a trusted workspace', async (line) => {
  expect(await action(line, true)).toBe('allow')
})

test.each(everydayLines)(
  '%s without trust: allowed unless the directory decides what runs (%s)',
  async (line, where) => {
    expect(await action(line, false)).toBe(where === 'everywhere' ? 'allow' : 'ask')
  },
)

test('at least 50 of 60 everyday commands need no approval, with trust and without', async () => {
  expect(everydayLines.length).toBeGreaterThanOrEqual(60)
  const asked = async (trusted: boolean) => {
    const out: string[] = []
    for (const [line] of everydayLines) if ((await action(line, trusted)) !== 'allow') out.push(line)
    return out
  }
  const [trusted, untrusted] = [await asked(true), await asked(false)]
  const all = everydayLines.length
  console.log(
    `everyday lines allowed unasked, of ${all}: trusted ${all - trusted.length}, untrusted ${all - untrusted.length}`,
  )
  expect(all - trusted.length, trusted.join('\n')).toBeGreaterThanOrEqual(50)
  expect(all - untrusted.length, untrusted.join('\n')).toBeGreaterThanOrEqual(50)
})

test.each(everydayLines)('%s only reads, or needs trust: %s', async (line, where) => {
  const { parts, opaque } = await analyzeLine(line)
  expect(opaque).toBeUndefined()
  const classes = new Set(parts.map((part) => classifyPart(part)?.class))
  const folder = classes.has('building') || classes.has('version')
  expect(classes.has(undefined)).toBe(false)
  expect(folder ? 'trust' : 'everywhere').toBe(where)
})

test.each(nearMisses)('%s needs approval', async (line) => {
  expect(await action(line, true)).toBe('ask')
  expect(await action(line, false)).toBe('ask')
})
