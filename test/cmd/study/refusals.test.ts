// Bad input and replies of a study, with the built program: limits, encodings, quotes in the wrong order, and
// workers that do not correct their claims.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { scriptedStudy } from '../../support/study-words.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
let aside: string
beforeEach(() => {
  at = world()
  aside = mkdtempSync(join(tmpdir(), 'study-'))
  at.put('lock.md', 'The store locks its files with O_EXCL. A lock is held for at most 30 seconds.\n')
})
afterEach(() => {
  at.remove()
  rmSync(aside, { recursive: true })
})

const write = (name: string, text: string) => {
  writeFileSync(join(aside, name), text)
  return join(aside, name)
}

it('refuses more than 1,000 tasks and 256 slots, and stores nothing', async () => {
  const tasks = Array.from({ length: 1001 }, (_, i) => ({ objective: `part ${i}` }))
  const many = write('many.json', JSON.stringify({ tasks }))
  const refused = await at.anode(['study', 'what of locks?', '--plan', many, '--model', 'builtin/extract'])
  expect([refused.code, refused.out]).toEqual([2, ''])
  expect(refused.err).toContain('$.tasks: has 1,001 tasks; at most 1,000 are possible\nnearest: 1,000 tasks')
  const slots = await at.anode(['study', 'what of locks?', '--workers', '257'])
  expect([slots.code, slots.out]).toEqual([2, ''])
  expect(slots.err).toContain(
    '--workers must be a whole number from 1 to 256, got 257\nnearest: --workers 256',
  )
  expect((await at.anode(['study', 'list', '--json'])).out).toBe('[]\n')
})

it('skips a file whose encoding is unknown, and says so', async () => {
  const bytes = Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256)
  writeFileSync(join(at.dir, 'data.txt'), bytes)
  const done = await at.anode(['study', 'How long is a lock held?', '--model', 'builtin/extract'])
  expect([0, 3]).toContain(done.code)
  expect(done.err).toContain('skipped 1 file: binary; the report names it')
  expect((await at.anode(['study', 'report', 'last'])).out).toContain('data.txt')
})

const read = { task: 't1', calls: [{ name: 'read', args: { path: 'lock.md' } }] }
const texts = ['The store locks its files with `O_EXCL`.', 'A lock is held for 30 seconds.']
const closing = (...quotes: string[]) => ({
  task: 't1',
  claims: quotes.map((quote, i) => ({ text: texts[i], evidence: 'E1.1', quote })),
})
const report = { task: 'report', text: '## Answer\n\nIt locks its files [C1.1].\n' }

async function runScript(...replies: object[]) {
  const words = scriptedStudy(aside, ['locks'], replies, '--json', '--quiet')
  const done = await at.anode(words)
  const { claims, tasks } = JSON.parse(done.out) as Record<'claims' | 'tasks', Record<string, unknown>[]>
  return { code: done.code, states: claims.map(({ state }) => state), tasks }
}

it('does not find a quote whose pieces are in another order', async () => {
  const right = 'The store locks … for at most 30 seconds'
  const wrong = 'for at most 30 seconds … The store locks'
  const { states } = await runScript(read, closing(right, wrong), { task: 't1', claims: [] }, report)
  expect(states[0]).not.toBe('not_found')
  expect(states[1]).toBe('not_found')
})

it.each([
  ['prose', [{ task: 't1', text: 'I have nothing to add.' }]],
  ['nothing', [{ task: 't1', text: '' }]],
  ['an exhausted script', []],
])('keeps the claims if the worker answers the note by %s', async (_, answers) => {
  const replies = [
    read,
    closing('The store locks its files with O_EXCL.', 'Words that are not there.'),
    ...answers,
  ]
  const { states, tasks } = await runScript(...replies, report)
  expect(states).toEqual(['verified', 'not_found'])
  expect(tasks).toMatchObject([{ id: 't1', end: 'done' }])
})
