// Suites about repositories of others: facts by lines, read from clones in a directory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type World, world } from '../../../support/anode.ts'

let at: World
let commit: string
const url = 'https://example.invalid/potters/kilns'

/** Creates a repository with one commit and returns its id. */
function plantRepository(dir: string, files: Readonly<Record<string, string>>): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
      cwd: dir,
      encoding: 'utf8',
    })
  mkdirSync(dir, { recursive: true })
  git('init', '--quiet')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
  return git('rev-parse', 'HEAD').trim()
}

const writeSuite = (lines: string) => {
  const stated = [{ path: 'docs/kiln.md', lines }]
  const question = 'How hot is the kiln fired?'
  const absent = { id: 'b', question: 'Which Zorblax does it use?', facts: [], absent: ['Zorblax'] }
  const cases = [{ id: 'a', question, facts: [{ id: 'heat', stated }] }, absent]
  at.put('suite.jsonl', cases.map((one) => `${JSON.stringify({ ...one, corpus: 'kilns' })}\n`).join(''))
}

beforeAll(() => {
  at = world()
  const text = '# Kiln\n\nIt stands in the yard.\n\nThe kiln is fired at 900 degrees.\n'
  commit = plantRepository(join(at.dir, 'clones', 'kilns'), { 'docs/kiln.md': text })
  at.put('corpora.json', JSON.stringify({ kilns: { repository: url, commit } }))
})
afterAll(() => at.remove())

const run = (...words: string[]) =>
  at.anode(['study', 'eval', 'suite.jsonl', '--model', 'builtin/extract', '--in-process', ...words])

it('reads facts by their lines from a clone', { timeout: 60_000 }, async () => {
  writeSuite('5')
  const { code, out } = await run('--checkout', 'clones', '--json', '--quiet', '--min-precision', '0')
  const { study, paragraphs } = JSON.parse(out)
  expect(study).toMatchObject({ facts: 1, found: 1, first: 1, doneRight: 1, named: 1, quoted: 0 })
  expect(paragraphs).toMatchObject({ facts: 1, found: 1, first: 1 })
  expect(code).toBe(0)
})

it.each(['6-9', '3-60', '4'])('names lines that the commit does not have: %s', async (lines) => {
  writeSuite(lines)
  const { code, err } = await run('--checkout', 'clones')
  expect(err).toMatch(new RegExp(`^anode: a: the corpus kilns has no lines ${lines} of docs/kiln.md\\n`, 'm'))
  expect(code).toBe(2)
})

it('says how to get the repositories', { timeout: 60_000 }, async () => {
  writeSuite('5')
  for (const words of [['--checkout', '.'], []]) {
    const line = ['study', 'eval', 'suite.jsonl', '--model', 'builtin/extract', '--json', ...words]
    // Another data directory has no copy of the repository from an earlier evaluation.
    const { code, err } = await at.anode(line, { env: { ANODE_DATA_DIR: join(at.dir, '..', 'fresh') } })
    expect(err).toContain('no corpus of the suite is available, so nothing was asked\n')
    expect(err).toContain(`git clone ${url}`)
    expect(err).toContain('--checkout')
    expect(code).toBe(3)
  }
})

it.each([{}, { text: 'fired', lines: '5' }, { lines: '0' }, { lines: '5-' }])(
  'refuses a fact with %j',
  async (stated) => {
    const facts = [{ id: 'heat', stated: [{ path: 'docs/kiln.md', ...stated }] }]
    at.put('suite.jsonl', `${JSON.stringify({ id: 'a', question: 'How hot?', corpus: 'kilns', facts })}\n`)
    const { code, err } = await run()
    expect(err).toContain('suite.jsonl:1: facts')
    expect(code).toBe(2)
  },
)
