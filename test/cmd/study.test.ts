// `anode study` as a user runs it: with builtin/extract, without a key and a network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Done, type World, world } from '../support/anode.ts'
import { sampleRows } from '../support/sample.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put(
    'doc/lock.md',
    '# Locks\n\nThe store locks files with O_EXCL. A lock is held for at most 30 seconds.\n',
  )
  at.put(
    'doc/crash.md',
    '# Crash\n\nAfter a crash the journal is replayed. A crash never loses an acknowledged line.\n',
  )
  at.put('src/main.ts', 'export const answer = 42\n')
})
afterEach(() => at.remove())

let apart: World
/**
 * Output of a study whose endpoint does not answer. It retries for many seconds, in parallel with
 * the other tests.
 */
let unanswered: Promise<Done>
beforeAll(() => {
  apart = world()
  apart.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
  const config = { providers: { openai: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' } } }
  apart.put('config.json', JSON.stringify(config))
  const words = ['study', 'What locks?', '--json', '--quiet', '--model', 'openai/gpt-5.4']
  unanswered = apart.anode(words, { env: { ANODE_CONFIG: join(apart.dir, 'config.json') } })
})
afterAll(async () => {
  await unanswered
  apart.remove()
}, 120_000)

const question = 'How does the store lock files, and what is the journal for after a crash?'
const json = (out: string) => JSON.parse(out) as Record<string, unknown>

/** Returns the report without the fields that may differ between two runs of one study (study.md 4). */
function bare(out: string): unknown {
  const report = json(out)
  for (const key of ['id', 'wall_ms', 'created', 'pid', 'host']) delete report[key]
  for (const task of report['tasks'] as Record<string, unknown>[]) delete task['wall_ms']
  return report
}

test('turns a question into a report with citations, twice the same', async () => {
  const words = ['study', question, '--workers', '2', '--json', '--quiet']
  const first = await at.anode(words)
  const second = await at.anode(words)
  expect(first.err).toBe('')
  const report = json(first.out)
  expect(report).toMatchObject({
    model: { name: 'builtin/extract', kind: 'rules' },
    citation_accuracy: 1,
    repaid_steps: 0,
    duplicate_claims: 0,
  })
  expect((report['claims'] as unknown[]).length).toBeGreaterThan(1)
  // one search answers the whole question, without any token
  expect(report['tasks']).toMatchObject([{ id: 't1', tokens: 0 }])
  expect([0, 3]).toContain(first.code)
  expect(bare(second.out)).toEqual(bare(first.out))
  const inProcess = await at.anode([...words, '--in-process'])
  expect(bare(inProcess.out)).toEqual(bare(first.out))
})

test('prints the answer with its sources, and progress on standard error', async () => {
  const done = await at.anode(['study', question, '--workers', '2', '-o', 'r.html'])
  expect(done.err).toMatch(/^study \w+ {2}model builtin\/extract/m)
  expect(done.err).toMatch(/^plan {4}t1 /m)
  expect(done.err).toMatch(/^verify {2}\d+ of \d+ quotes found$/m)
  expect(done.err).toMatch(/^wrote r\.html \(\d+ KB\)$/m)
  expect(readFileSync(join(at.dir, 'r.html'), 'utf8')).toContain('<h2>Reproduce</h2>')
  expect(done.out).toMatch(/^(?:> .*\n\n)*## Answer\n/)
  expect(done.out).toContain('locks files with O_EXCL')
  expect(done.out).toMatch(
    /^## Sources\n\n1\. \[`doc\/lock\.md:\d+(?:-\d+)?`\]\(<file:\/\/\/.*\/doc\/lock\.md#L\d+>\)$/m,
  )
  expect(done.out).not.toMatch(/Reproduce|verified/)
  const report = await at.anode(['study', 'report', 'last', '--format', 'md'])
  expect(report).toMatchObject({ code: 0 })
  expect(report.out).toContain('O_EXCL')
})

test.each(
  sampleRows(
    [
      [['study', ''], 'the question is empty'],
      [['study', 'why so?', '--workers', '0'], '--workers must be a whole number from 1 to 256, got 0'],
      [['study', 'why so?', '--workers', '257'], '--workers must be a whole number from 1 to 256, got 257'],
      [['study', 'why so?', '--workers', 'abc'], '--workers must be a number, got abc'],
      [['study', 'why so?', '--sources', 'repo,moon'], 'unknown source "moon"'],
      [['study', 'why so?', '--root', 'nowhere'], 'nowhere does not exist'],
      [['study', 'statsu', '01JD3K8Q'], 'did you mean anode study status 01JD3K8Q?'],
      [
        ['study', 'reprot'],
        'did you mean anode study report? To use it as a question: anode study -- reprot',
      ],
      [['study', 'lock'], 'one word is not a question: lock'],
      [['study', 'what is it?', '-o', 'r.xyz'], 'r.xyz ends in .xyz, which is not a format of a report'],
      [['study', 'what is it?', '-o', 'report'], 'report has no ending'],
    ],
    2,
  ),
)('rejects %j and stores nothing', async (words, message) => {
  const done = await at.anode(words)
  expect(done).toMatchObject({ code: 2, out: '' })
  expect(done.err).toContain(message)
  expect((await at.anode(['study', 'status', 'last'])).err).toContain('no study in this project')
})

test('studies a single word after `--` or if it is a file', async () => {
  for (const words of [['--', 'journal'], ['--quiet', '--', 'list'], ['src/main.ts']]) {
    const done = await at.anode(['study', '--json', ...words])
    expect(json(done.out)).toMatchObject({ question: words.at(-1) })
  }
})

test('prints the whole report on request, and a list of all studies', async () => {
  const done = await at.anode(['study', question, '--full', '--quiet'])
  expect(done.err).toBe('')
  expect(done.out).toMatch(/^# How does the store lock files/)
  expect(done.out).toMatch(/^## Reproduce$/m)
  expect(done.out).toMatch(/^- Read: 3 files, \d+ bytes, \d+\.\d s$/m)
  const { out } = await at.anode(['study', 'list'])
  expect(out).toMatch(/^study +started +state +cost +question\n\w{10} +[\d-]+ [\d:]+ +\w.* +free +How does/)
  const [row] = JSON.parse((await at.anode(['study', 'list', '--json'])).out)
  expect(row).toMatchObject({ question, workspace: at.dir, model: { kind: 'rules' }, abandoned: false })
  const threads = JSON.parse((await at.anode(['threads', 'list', '--json'])).out)
  expect(threads).toMatchObject([{ id: row.id, kind: 'study', title: question, profile: null }])
  const elsewhere = await at.anode(['study', 'list', '-C', 'doc'])
  expect([elsewhere.out, elsewhere.err]).toEqual([
    '',
    'No studies here yet. Start one: anode study "what to find out"\n',
  ])
  expect((await at.anode(['study', 'list', '--everywhere', '-C', 'doc'])).out).toContain(at.dir)
})

test('reports a missing file or directory before it reads anything', async () => {
  const done = await at.anode(['study', question, '-o', 'nowhere/r.md'])
  expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining('its folder does not exist') })
  expect((await at.anode(['study', 'list'])).err).toContain('No studies here yet')
})

test('replays a recorded study to the same report, in any order of its workers', async () => {
  const file = join(at.data, '..', 'recording.jsonl')
  const words = ['study', question, '--workers', '2', '--json', '--quiet', '--model']
  const recorded = await at.anode([...words, `record:${file},builtin/extract`])
  const replayed = await at.anode([...words, `replay:${file}`])
  const again = await at.anode([...words, `replay:${file}`])
  expect(bare(again.out)).toEqual(bare(replayed.out))
  const unnamed = ({ model: _, ...rest }: Record<string, unknown>) => rest
  const [first, second] = [recorded, replayed].map(({ out }) => unnamed(bare(out) as Record<string, unknown>))
  expect(second).toEqual(first)
  at.put('doc/lock.md', '# Locks\n\nNow the store locks files with flock.\n')
  const missed = await at.anode([...words, `replay:${file}`])
  expect(missed.code).toBe(1)
  expect(missed.out).toContain('replay_miss')
})

test('reports an endpoint that does not answer, and uses no other model instead', {
  timeout: 120_000,
}, async () => {
  const done = await unanswered
  expect(done.code).toBe(1)
  expect(json(done.out)).toMatchObject({
    status: 'failed',
    model: { name: 'openai/gpt-5.4', kind: 'llm' },
    tasks: [{ end: 'failed', reason: 'model_unreachable', attempts: 2 }],
    claims: [],
  })
})
