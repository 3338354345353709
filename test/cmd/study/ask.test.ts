// `anode study ask` as it is typed: its output and exit codes, kill -9 in the middle, and a study
// on a server.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { serveModel } from '../../support/model-server.ts'
import { startRedis, whereRedis } from '../../support/redis.ts'
import { sampleRows } from '../../support/sample.ts'
import { root } from '../../support/sources.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', '# Locks\n\nThe store locks files with O_EXCL. A lock is held for 30 seconds.\n')
  at.put('doc/crash.md', '# Crash\n\nAfter a crash the journal is replayed.\n')
})
afterEach(() => at.remove())
const study = (...words: string[]) => at.anode(['study', ...words])

const read = (task: string, path: string, delay_ms = 0) => ({
  task,
  delay_ms,
  calls: [{ name: 'read', args: { path } }],
})
const claims = (task: string, evidence: string, quote: string, delay_ms = 0) => ({
  task,
  delay_ms,
  claims: [{ text: quote, evidence, quote }],
})
const locks = 'The store locks files with O_EXCL.'
const replayed = 'After a crash the journal is replayed.'

/** Returns the script for a study of one task and a follow-up question of three steps. */
function script(delay = 0): string {
  const replies = [
    read('t1', 'doc/lock.md'),
    claims('t1', 'E1.1', locks),
    { task: 'report', text: '## Answer\n\nWith O_EXCL [C1.1].\n' },
    read('t2', 'doc/crash.md', delay),
    { task: 't2', delay_ms: delay, calls: [{ name: 'grep', args: { pattern: 'journal' } }] },
    claims('t2', 'E2.1', replayed, delay),
    { task: 'report2', delay_ms: delay, text: '## Answer\n\nIt is replayed [C2.1].\n' },
  ]
  const file = join(at.data, '..', 'ask.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  return `script:${file}`
}
const begin = (model: string, ...more: string[]) =>
  study('How does the store lock files?', '--model', model, '--workers', '1', '--quiet', ...more)

describe('in one terminal', () => {
  test('prints the answer with its sources; the report holds both questions', async () => {
    expect((await begin(script())).code).toBe(0)
    const { code, out, err } = await study('ask', 'last', 'What happens after a crash?')
    expect(code).toBe(0)
    // progress of the first question was printed during that question
    expect(err).toMatch(/^t2 /m)
    expect(err).not.toMatch(/^(?:study|t1) /m)
    expect(out).toContain('It is replayed [1].')
    expect(out).toContain('`doc/crash.md:3`')
    expect(out).not.toContain('O_EXCL')
    const report = (await study('report', 'last')).out
    expect(report).toContain('## Further question: What happens after a crash?')
    expect(report).toContain('With O_EXCL [1].')
  })

  test('verifies a quote in both answers for each of them', async () => {
    const model = ['--model', 'builtin/extract', '--quiet']
    await study('How does the store lock files?', ...model)
    await study('ask', 'last', 'For how many seconds does the store hold a lock on files?')
    const { code, out } = await study('verify')
    expect(code, out).toBe(0)
    expect(out).toMatch(/^C1\.1 +verified +doc\/lock\.md/m)
    expect(out).toMatch(/^C2\.1 +verified +doc\/lock\.md/m)
    expect(out).not.toContain('not_checked')
  })

  test('--json prints one document for that question', async () => {
    await begin(script())
    const { code, out } = await study('ask', 'last', 'What happens after a crash?', '--json', '--quiet')
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { question: 'What happens after a crash?', exit: 0, tasks: [{ id: 't2' }], repaid_steps: 0 },
    ])
  })

  test.each([
    [['ask', 'last'], 2, 'the question is empty'],
    [['ask', 'last', ' '], 2, 'the question is empty'],
    [['ask', 'last', 'why so?'], 2, 'no study in this project yet'],
    [['ask', '01ZZZZZZ', 'why so?'], 2, 'unknown study'],
  ])('%j', async (words, wanted, message) => {
    const { code, out, err } = await study(...words)
    expect({ code, out }).toEqual({ code: wanted, out: '' })
    expect(err).toContain(message)
  })

  test('quotes without a model, and exits with code 1 if nothing matches', async () => {
    await study('How does the store lock files?', '--quiet')
    const { out } = await study('ask', 'last', 'What is replayed after a crash?', '--quiet')
    expect(out).toContain(replayed)
    expect((await study('ask', 'last', 'Zeppelin upholstery?', '--quiet')).code).toBe(1)
  })
})

/** Runs `words` and kills the program after `lines` lines of progress; false if the program ended before. */
function killAfter(words: readonly string[], lines: number): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), 'study', ...words, '--json'], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: at.dir, ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let seen = 0
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.includes('"ask"')) seen = 1
    else if (seen > 0) seen++
    if (seen === lines) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')))
}

const exact = {
  question: 'What happens after a crash?',
  status: 'done',
  repaid_steps: 0,
  duplicate_claims: 0,
  sections: { answer: 'It is replayed [C2.1].' },
}

async function survive(lines: number, more: readonly string[]): Promise<void> {
  const model = script(120)
  await begin(model, ...more)
  const words = ['ask', 'last', 'What happens after a crash?', ...more]
  expect(await killAfter(words, lines), `line ${lines}`).toBe(true)
  const second = await study('ask', 'last', 'And again?', '--quiet', ...more)
  expect([second.code, second.err]).toEqual([
    1,
    expect.stringMatching(/one question at a time|already running/),
  ])
  const { code, out, err } = await study('resume', 'last', '--json', '--quiet', ...more)
  expect({ code, err }, `line ${lines}`).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out), `line ${lines}`).toMatchObject(exact)
}

test.each(sampleRows([6, 2, 4, 1, 9], 3))(
  'killed after line %i of the question, resume answers it',
  async (lines) => {
    await survive(lines, [])
  },
)

whereRedis('a study that a server keeps', () => {
  test.each(sampleRows([6, 2], 2))(
    'killed after line %i of the question, resume answers it',
    { timeout: 120_000 },
    async (lines) => {
      const redis = await startRedis()
      try {
        await survive(lines, ['--engine', redis.url])
      } finally {
        await redis.remove()
      }
    },
  )
})

describe('with a language model', () => {
  const json = (value: unknown) => ({ text: JSON.stringify(value), usage: { in: 900, out: 60 } })

  test('prints the estimated cost first, and needs a yes above --budget-usd', async () => {
    const claim = { text: locks, evidence: 'E1.1', quote: locks }
    const server = await serveModel((_, n) =>
      n % 3 === 0
        ? { calls: [{ id: 'c1', name: 'read', args: { path: 'doc/lock.md' } }], usage: { in: 900, out: 60 } }
        : n % 3 === 1
          ? json({ claims: [claim], gaps: [] })
          : { text: '## Answer\n\nWith O_EXCL [C1.1].', usage: { in: 900, out: 60 } },
    )
    try {
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-0123456789abcdef' }
      const words = ['study', 'How does the store lock files?', '--model', 'openai/gpt-5.4', '--workers', '1']
      const unknown = await at.anode([...words, '--budget-usd', '5'], { env })
      expect([unknown.code, unknown.out, server.requests.length]).toEqual([2, '', 0])
      expect(unknown.err).toContain('the price of openai/gpt-5.4 is not known')
      at.put(
        '../.config/anode/config.json',
        '{"providers": {"openai": {"price": {"input": 2.5, "output": 15}}}}',
      )
      const refused = await at.anode([...words, '--budget-usd', '0.01'], { env })
      expect([refused.code, refused.out, server.requests.length]).toEqual([2, '', 0])
      expect(refused.err).toMatch(/estimate {2}about [\d,]+ tokens, \$\d+\.\d\d, \d+ s/)
      expect(refused.err).toMatch(
        /may cost about \$\d+\.\d+ with openai\/gpt-5\.4, and --budget-usd is \$0\.0100/,
      )
      const { code, out, err } = await at.anode([...words, '--budget-usd', '20'], { env })
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^estimate/m) })
      expect(out).toContain('With O_EXCL [1].')
      const first = server.requests[0]?.body
      expect(JSON.stringify(first.messages)).toContain('mode passage, once for each part')
      const few = await at.anode([...words, '--budget-usd', '0.01', '--yes', '--json'], { env })
      expect(few.code).not.toBe(2)
      expect(JSON.parse(few.out).usd).toBeLessThanOrEqual(0.01)
    } finally {
      await server.close()
    }
  })

  test('stores prose as an unchecked answer after the second attempt', async () => {
    const server = await serveModel(() => ({
      text: 'It locks with **O_EXCL**, I think.',
      usage: { in: 90, out: 9 },
    }))
    try {
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-0123456789abcdef' }
      const words = ['study', 'How does the store lock files?', '--model', 'openai/gpt-5.4', '--workers', '1']
      const { code, out } = await at.anode([...words, '--quiet'], { env })
      expect(code).toBe(5)
      expect(out).toContain('Unverified: the model answered t1 in prose instead of JSON (2 tries)')
      expect(out).toContain('> It locks with **O_EXCL**, I think.')
      const document = JSON.parse((await study('report', 'last', '--format', 'json')).out)
      expect(document).toMatchObject({
        status: 'partial',
        reason: 'unverified_answer',
        unverified_answers: [{ task: 't1', tries: 2 }],
        claims: [],
        citation_accuracy: 0,
      })
    } finally {
      await server.close()
    }
  })
})
