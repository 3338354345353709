// Stored threads from the command line: archived ones, short names, long results.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'

let w: World
beforeEach(() => {
  w = world()
  w.put('long.txt', Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n'))
  const replies = [{ calls: [{ name: 'read', args: { path: 'long.txt' } }] }, { text: 'Read.' }]
  w.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
})
afterEach(() => w.remove())

const run = (task: string) => w.anode(['execute', task, '--model', 'script:../replies.jsonl'])
const list = async (...flags: string[]) =>
  JSON.parse((await w.anode(['threads', 'list', '--json', ...flags])).out) as {
    id: string
    title: string
    kind: string
  }[]

test('archived threads are listed apart', async () => {
  await run('first')
  await run('second')
  const [newest] = await list()
  await w.anode(['threads', 'archive', 'last'])
  expect((await list()).map(({ id }) => id)).not.toContain(newest?.id)
  expect((await list('--archived')).map(({ id }) => id)).toEqual([newest?.id])
})

test('the listing names threads by the beginning of their id, which every command takes', async () => {
  await run('first')
  await run('second')
  const { out } = await w.anode(['threads', 'list'])
  const shown = out
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split(' ')[0] as string)
  expect(new Set(shown).size).toBe(2)
  for (const id of shown) expect(await w.anode(['threads', 'show', id])).toMatchObject({ code: 0 })
  expect((await w.anode(['threads', 'list', '--everywhere'])).out).toContain(w.dir)
  expect((await list()).map(({ kind }) => kind)).toEqual(['thread', 'thread'])
})

test('long results are folded, and whole with --full', async () => {
  await run('read it')
  const folded = (await w.anode(['threads', 'show', 'last'])).out
  expect(folded).toContain('line 5')
  expect(folded).not.toContain('line 30')
  expect(folded).toMatch(/more lines; --full shows all/)
  expect((await w.anode(['threads', 'show', 'last', '--full'])).out).toContain('line 40')
})

test('reports a missing directory for an export', async () => {
  await run('first')
  const { code, out, err } = await w.anode(['threads', 'export', 'last', '-o', 'nowhere/thread.md'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    'anode: nowhere/thread.md cannot be written: its folder does not exist\nname a file in a folder that exists and may be written\n',
  )
})

test('an export reports its file, and takes the format from the extension', async () => {
  await run('first')
  const to = (...words: string[]) => w.anode(['threads', 'export', 'last', ...words])
  const whole = await to()
  const { code, out, err } = await to('-o', 'thread.md')
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^wrote thread\.md \(\d+(?:\.\d+)? \w+\)\n$/)
  expect(readFileSync(join(w.dir, 'thread.md'), 'utf8')).toBe(whole.out)
  expect((await to('-o', 'thread.jsonl')).code).toBe(0)
  for (const line of readFileSync(join(w.dir, 'thread.jsonl'), 'utf8').trim().split('\n')) JSON.parse(line)
  expect(readFileSync(join(w.dir, 'thread.jsonl'), 'utf8')).toBe((await to('--format', 'jsonl')).out)
  expect(await to('-o', 'thread.html')).toMatchObject({
    code: 2,
    err: expect.stringContaining('.md or .jsonl'),
  })
  expect((await to('-o', 'thread.md', '--format', 'jsonl')).err).toContain('does not fit the ending')
})

test('an export is written over an earlier one, and over nothing else', async () => {
  await run('first')
  const to = (name: string) => w.anode(['threads', 'export', 'last', '-o', name])
  const read = (name: string) => readFileSync(join(w.dir, name), 'utf8')
  const foreign = { 'README.md': '# Shop\n\nA shop.\n', 'notes.txt': 'mine', 'data.jsonl': '{"a":1}\n' }
  for (const [name, text] of Object.entries(foreign)) {
    w.put(name, text)
    const { code, err } = await to(name)
    expect([code, err]).toEqual([
      2,
      `anode: ${name} exists and is no export of a thread\nname another file, or remove this one first\n`,
    ])
    expect(read(name)).toBe(text)
  }
  w.put('empty.md', '')
  expect((await to('empty.md')).code).toBe(0)
  expect((await to('thread.jsonl')).code).toBe(0)
  await run('second')
  for (const name of ['empty.md', 'thread.jsonl']) {
    expect((await to(name)).code).toBe(0)
    expect(read(name)).toContain('second')
  }
})

test('a mistyped name among several deletes nothing', async () => {
  await run('first')
  const [thread] = await list()
  const { code } = await w.anode(['threads', 'delete', thread?.id as string, 'nothing'])
  expect(code).toBe(2)
  expect(await list()).toHaveLength(1)
  const refused = await w.anode(['threads', 'delete', thread?.id as string])
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('needs --yes') })
  expect(JSON.parse((await w.anode(['threads', 'list', '--json'])).out)).not.toEqual([])
  expect(await w.anode(['threads', 'delete', thread?.id as string, '--yes'])).toMatchObject({ code: 0 })
  expect(await list()).toHaveLength(0)
})

test.each([
  ['threads', 'list', '--limit', '1.5'],
  ['threads', 'search', 'x', '--limit', '-1'],
  ['threads', 'show', 'last', '--last', '0.5'],
  ['cron', 'history', 'nightly', '--limit', '2.5'],
  ['study', 'trace', 'last', '--after', '-3'],
  ['undo', '--to', '1.5'],
])('a number that counts nothing is named: %s %s %s %s', async (...words) => {
  await run('first')
  const flag = words.find((word) => word.startsWith('--'))
  const { code, err } = await w.anode(words)
  // what is asked about may be looked for first
  expect([code, /is a bug/.test(err)]).toEqual([2, false])
  if (words[0] !== 'study') expect(err).toContain(`${flag} must be a whole number from 0 on`)
})
