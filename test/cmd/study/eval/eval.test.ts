// A suite of the user, evaluated as a user runs it.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type World, world } from '../../../support/anode.ts'
import { serveModel } from '../../../support/model-server.ts'

let at: World
const fact = (id: string, text: string) => ({ id, question: 'a', stated: [{ path: 'a.md', text }] })

beforeAll(() => {
  at = world()
  at.put('corpus/a.md', 'The kiln is fired at 900 degrees.\n\nThe glaze is left to dry for two days.\n')
  at.put('vases/b.md', 'The vase is painted by the apprentice.\n')
  // The text about the vase is listed as no fact of the suite, so a claim that quotes it is irrelevant.
  const vase = '{"id":"b","question":"Who paints the vase?","root":"vases"}\n'
  at.put('suite.jsonl', `{"id":"a","question":"How is the kiln fired, and how does the glaze dry?"}\n${vase}`)
  const facts = [
    fact('fired', 'The kiln is fired at 900 degrees.'),
    fact('dry', 'The glaze is left to dry for two days.'),
  ]
  at.put('facts.json', JSON.stringify({ facts }))
})
afterAll(() => at.remove())

const run = (...words: string[]) =>
  at.anode(['study', 'eval', 'suite.jsonl', '--model', 'builtin/extract', ...words])

it('compares several workers with one and lists the missed facts', { timeout: 60_000 }, async () => {
  const { code, out, err } = await run('--repeat', '2', '--in-process')
  expect(out).toMatch(/2 questions +study +one worker +plain BM25/)
  expect(out).toMatch(/claim recall +1\.00 \(2\/2\) +1\.00 \(2\/2\) +1\.00 \(2\/2\)/)
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(out).toMatch(/citation accuracy +1\.00/)
  expect(out).toContain('irrelevant in b: C1.1 The vase is painted by the apprentice.')
  expect(out).not.toContain('different scores')
  expect(err).toMatch(/^1\/2 {2}1\/2 a: 2 of 2 facts/)
  expect(err).toMatch(/^anode: claim precision is 0\.\d\d \(\d\/\d\), below 0\.8$/m)
  expect(code).toBe(5)
  // eight studies in one process, each with separate listeners
  expect(err).not.toContain('MaxListeners')
  // the evaluation stores nothing among the studies of the user
  expect((await at.anode(['study', 'status', 'last'])).code).toBe(2)
})

it('prints everything in one object for programs', { timeout: 60_000 }, async () => {
  const { code, out, err } = await run('--json', '--quiet', '--min-precision', '0.5')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toMatchObject({
    study: { facts: 2, found: 2, obeyed: 0 },
    paragraphs: { facts: 2, found: 2 },
    bare: null,
    questions: [{ id: 'a' }, { id: 'b' }],
    skipped: [],
    halves: {},
    stable: true,
    shortfalls: [],
  })
})

it('reports why a model cannot answer', { timeout: 60_000 }, async () => {
  at.put('empty.jsonl', '{"task":"t9","text":"for nobody"}\n')
  const { err } = await at.anode([
    'study',
    'eval',
    'suite.jsonl',
    '--model',
    'script:empty.jsonl',
    '--in-process',
  ])
  expect(err).toContain('a: script_exhausted')
})

it.each([
  ['a file', 'corpus/a.md'],
  ['below a file', 'corpus/a.md/replies'],
])('rejects %s as the directory of responses, before any request', async (_, name) => {
  const { code, out, err } = await run('--record', name)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(`anode: --record ${name}: it is not a directory\nuse a writable directory\n`)
})

const inline = (id: string, more: object) =>
  `${JSON.stringify({ id, question: 'How is the kiln fired, and how does the glaze dry?', ...more })}\n`
const own = (text: string) => [{ id: 'secret-fact', stated: [{ path: 'a.md', text }] }]

describe('halves', () => {
  beforeAll(() => {
    at.put(
      'halves.jsonl',
      inline('seen', { half: 'open', facts: own('never said anywhere in it') }) +
        inline('hidden', { half: 'sealed', facts: own('nor is this said anywhere') }),
    )
  })
  const halves = (...words: string[]) =>
    at.anode(['study', 'eval', '--suite', 'halves.jsonl', '--model', 'builtin/extract', ...words])

  it('hide the single questions of the sealed half', { timeout: 60_000 }, async () => {
    const { code, out, err } = await halves('--in-process')
    expect(out).toMatch(/1 open question[\s\S]*claim recall +0\.00 \(0\/1\)[\s\S]*1 sealed question/)
    expect(out).toContain('missed in seen: secret-fact')
    expect(`${out}${err}`).not.toContain('hidden')
    expect(err).toContain('2/2 sealed')
    expect(code).toBe(5)
    const json = await halves('--in-process', '--quiet', '--json', '--repeat', '2')
    const found = JSON.parse(json.out)
    expect(found.questions.map(({ id }: { id: string }) => id)).toEqual(['seen'])
    expect(found.halves.sealed).toMatchObject({
      asked: 1,
      study: { facts: 1, found: 0, missed: [], wrong: [] },
    })
    expect(json.out).not.toContain('hidden')
  })

  it('are both shown with --sealed', { timeout: 60_000 }, async () => {
    const { out, err } = await halves('--in-process', '--sealed')
    expect(out).toContain('missed in hidden: secret-fact')
    expect(err).toContain('2/2 hidden: 0 of 1 facts')
  })
})

describe('an unavailable corpus', () => {
  it('costs one line, and the evaluation continues with the other questions', {
    timeout: 60_000,
  }, async () => {
    const commit = 'a'.repeat(40)
    at.put(
      'corpora.json',
      JSON.stringify({ here: { root: 'corpus' }, gone: { repository: 'file:///nowhere', commit } }),
    )
    at.put(
      'partly.jsonl',
      inline('a', { corpus: 'here', facts: own('The kiln is fired at 900 degrees.') }) +
        inline('b', { corpus: 'gone', facts: own('x') }) +
        inline('c', { corpus: 'gone', facts: own('x') }),
    )
    const words = ['study', 'eval', 'partly.jsonl', '--model', 'builtin/extract', '--in-process']
    const { code, out, err } = await at.anode([...words, '--min-precision', '0'])
    expect(err).toMatch(/^gone: file:\/\/\/nowhere at a+: git fetch: .*; questions left out: 2$/m)
    expect(out).toMatch(/^1 question/)
    expect(out).toMatch(/^not asked: gone \(questions: 2\): /m)
    expect(code).toBe(3)
    at.put('none.jsonl', inline('b', { corpus: 'gone', facts: own('x') }))
    const none = await at.anode(['study', 'eval', 'none.jsonl', '--model', 'builtin/extract'])
    expect(none.code).toBe(3)
    expect(none.err).toContain('anode: no corpus of the suite is available, so nothing was asked')
  })
})

describe('a language model', () => {
  it('is asked after an estimate, recorded, and not asked again', { timeout: 120_000 }, async () => {
    // Every worker ends at once without a claim. Without tools the same text is an answer.
    const server = await serveModel(() => ({
      text: '{"claims": [], "gaps": ["The kiln is fired at 900 degrees."]}',
      usage: { in: 100, out: 10 },
    }))
    try {
      const price = { input: 2, output: 8 }
      const kiln = { baseUrl: server.url, apiKey: 'none', model: 'large', price }
      at.put('config.json', JSON.stringify({ providers: { kiln } }))
      const env = { ANODE_CONFIG: join(at.dir, 'config.json') }
      const words = ['study', 'eval', 'suite.jsonl', '--in-process']
      const model = ['--model', 'kiln/large']
      const refused = await at.anode([...words, ...model], { env })
      expect(refused.err).toMatch(/^estimate: about \d+k tokens, \$\d+\.\d\d, \d+ minutes at most$/m)
      expect(refused.err).toContain('--yes starts without asking')
      expect([refused.code, server.requests.length]).toEqual([2, 0])

      const recorded = await at.anode([...words, ...model, '--yes', '--record', 'replies', '--json'], { env })
      const first = JSON.parse(recorded.out)
      expect(first).toMatchObject({
        study: { found: 0, abstained: 2 },
        bare: { facts: 2, found: 1, tokens: 220 },
      })
      const asked = server.requests.length
      expect(asked).toBeGreaterThan(2)

      const replayed = await at.anode([...words, '--replay', 'replies', '--json'])
      const again = JSON.parse(replayed.out)
      expect(again.study).toMatchObject({ found: 0, abstained: 2, claims: 0 })
      expect(again.bare).toEqual(first.bare)
      expect(again.study.tokens).toBe(first.study.tokens)
      expect(server.requests).toHaveLength(asked)
      const table = await at.anode([...words, '--replay', 'replies'])
      expect(table.out).toMatch(/plain BM25 +no tools\n/)
      for (const line of table.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    } finally {
      await server.close()
    }
  })
})

it.each([
  [['missing.jsonl'], /cannot read .*missing\.jsonl/],
  [['suite.jsonl', '--repeat', '0'], /--repeat must be a whole number from 1 to 100/],
  [['suite.jsonl', '--workers', '1.5'], /--workers must be a whole number/],
  [['suite.jsonl', '--suite', 'second'], /two suites are named/],
  [['suite.jsonl', '--record', 'x'], /--record needs --model/],
  [['suite.jsonl', '--replay', 'nowhere'], /cannot read the recording/],
])('rejects %j', async (words, expected) => {
  const { code, err } = await at.anode(['study', 'eval', ...words])
  expect(code).toBe(2)
  expect(err).toMatch(expected)
})
