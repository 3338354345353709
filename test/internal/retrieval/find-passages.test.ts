// Passages found in real directories, from the question to the lines.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../internal/retrieval/find-passages.ts'
import { describeSearchLimit } from '../../../internal/retrieval/limits/search-limit.ts'
import { bundledSuite } from '../../../internal/service/study-eval/evaluation.ts'
import { readSuite } from '../../../internal/study-eval/suite.ts'
import { scratchWith } from '../../support/scratch.ts'

const signal = new AbortController().signal

function find(files: Record<string, string | Uint8Array>, question: string, limit = 3) {
  const dir = scratchWith(files)
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  return findPassages({ files: list, question, limit, signal })
}

const manual = {
  'docs/server.md':
    '# Server\n\n## Options\n\n### `bodyLimit`\n\nDefault: `1048576` (1 MiB). Larger payloads are refused.\n\n### `host`\n\nThe interface to listen on.\n',
  'docs/client.md':
    '# Client\n\nA client connects and sends requests. Its retries are described elsewhere.\n',
  'server.conf':
    '# How many clients may be connected at once.\nmaxclients 10000\n\n# Where the log goes.\nlogfile /var/log/x.log\n',
  'src/retry.ts':
    '/** How often a request is sent again. */\nexport const MAX_RETRIES = 7\n\nexport function sendAgain() {\n  return MAX_RETRIES\n}\n',
  'test/server.test.ts': 'test("body limit", () => { expect(limit of body).toBe(1048576) })\n',
}

test('includes the title that the sentence lacks', async () => {
  const { hits, coverage } = await find(manual, 'What is the maximum size of a body?')
  expect(hits[0]).toMatchObject({ path: 'docs/server.md', heading: 'Server > Options > bodyLimit' })
  expect(hits[0]?.text).toContain('1048576')
  expect(coverage.missing).not.toContain('body')
})

test('finds a setting with the comment above it, and a position', async () => {
  expect((await find(manual, 'How many clients can connect?')).hits[0]).toMatchObject({
    path: 'server.conf',
    kind: 'config',
  })
  expect((await find(manual, 'Where is the log stored?')).hits[0]?.text).toContain('/var/log/x.log')
})

test.each(['sendAgain', 'MAX_RETRIES'])(
  'the definition of %s precedes texts that name it more often',
  async (name) => {
    const praise = `Call ${name} where ${name} is defined. The file of ${name} names ${name}.\n\n`
    const files = { ...manual, 'docs/retry.md': `# Retries\n\n${praise}`, 'README.md': praise }
    for (const question of [`Where is ${name} defined?`, `Which file defines ${name}?`]) {
      const { hits } = await find(files, question)
      expect(hits[0]?.path, question).toBe('src/retry.ts')
    }
  },
)

test('every passage consists of lines of its file', async () => {
  const { hits } = await find(manual, 'body limit of the server, clients, retries and log', 20)
  expect(hits.length).toBeGreaterThan(3)
  for (const { path, from, to, text } of hits) {
    const lines = (manual[path as keyof typeof manual] as string).split('\n')
    expect(text).toBe(lines.slice(from - 1, to).join('\n'))
  }
})

test('lists a requested name that appears nowhere', async () => {
  const { coverage } = await find(manual, 'Does the server speak QUIX?')
  expect(coverage).toMatchObject({
    missing: expect.arrayContaining(['QUIX']),
    verdict: expect.stringMatching(/partial|nothing/),
  })
  const none = await find(manual, 'Which zebras migrate?')
  expect(none.coverage.share).toBe(0)
  expect(none.hits).toEqual([])
})

test('returns the best passage for a part of the question without a good match', async () => {
  const question = 'What is the limit of a body, and where does the log go?'
  const { hits, parts } = await find(manual, question, 2)
  expect(parts).toHaveLength(2)
  expect(hits.map(({ part }) => part).sort()).toEqual([0, 1])
})

test('follows a name in a passage to its value', async () => {
  const files = {
    'docs/retry.md': '# Retries\n\nHow many retries are made is set by `MAX_TRIALS`.\n',
    'lib/values.ts': 'export const OTHER = 1\n\nexport const MAX_TRIALS = 7\n',
  }
  const { hits } = await find(files, 'How many retries are made?')
  expect(hits.at(-1)).toMatchObject({ path: 'lib/values.ts', follows: 'MAX_TRIALS' })
})

test.each([
  'MAX_TRIALS = Trials(most=7)',
  'MAX_TRIALS: Trials = trials.Trials(7, 2)',
  'const MAX_TRIALS = new Trials(7)',
])('follows a name to the definition with a number: %s', async (line) => {
  const files = {
    'docs/retry.md': `# Retries\n\nHow many retries are made is set by \`MAX_TRIALS\`.\n`,
    'lib/values.py': `OTHER = Trials(1)\n\n\n${line}\n`,
  }
  const { hits } = await find(files, 'How many retries are made?')
  expect(hits.map(({ follows }) => follows)).toContain('MAX_TRIALS')
  const asCall = { ...files, 'lib/values.py': 'MAX_TRIALS == Trials(7)\nMAX_TRIALS(7)\n' }
  expect((await find(asCall, 'How many retries are made?')).hits.map(({ follows }) => follows)).not.toContain(
    'MAX_TRIALS',
  )
})

test('shows the same text in two files once', async () => {
  const text = '# Limits\n\nA body has a limit.\n'
  const { hits } = await find({ 'a.md': text, 'b.md': text }, 'body limit')
  expect(hits).toHaveLength(1)
})

test('prefers a page whose title and file name match over a section of a general page', async () => {
  const about = 'Locks are taken before a write and given up behind it.\n'
  const files = {
    'docs/aaa.md': `# Storage of everything\n\n## Locks\n\n${about}Files are kept.\n`,
    'docs/locks.md': `# Locks\n\n${about}Nobody waits for long.\n`,
    'docs/many/README.md': `# Many\n\n${about}All of them.\n`,
  }
  expect((await find(files, 'How do locks work?')).hits[0]?.path).toBe('docs/locks.md')
  const page = `# Locks\n\n${about}Nobody waits for long.\n`
  const named = { ...files, 'docs/locks.md': 'other\n', 'docs/locks/README.md': page }
  expect((await find(named, 'How do locks work?')).hits[0]?.path).toBe('docs/locks/README.md')
})

test('prefers sentences to usage in fences with the same words', async () => {
  const line = 'The lock is given up after the write.'
  const files = { 'a.md': `# A\n\n\`\`\`\n${line}\n\`\`\`\n`, 'b.md': `# B\n\n${line} It is short.\n` }
  expect((await find(files, 'When is the lock given up?')).hits[0]?.path).toBe('b.md')
})

test('prefers a different passage to one with nearly the same lines', async () => {
  const rows = ['first', 'second', 'third', 'fourth'].map((one) => `The ${one} rule of a limit of bodies.\n`)
  const copy = `# Limits of bodies\n\n${rows.join('')}`
  const other = '# More\n\nAnother limit of bodies is set for clients elsewhere.\n'
  const files = { 'a.md': copy, 'b.md': `${copy}One more line here.\n`, 'c.md': other }
  const { hits } = await find(files, 'What is the limit of bodies?', 2)
  expect(hits.map(({ path }) => path)).toContain('c.md')
  const two = await find({ 'a.md': copy, 'b.md': files['b.md'] }, 'What is the limit of bodies?', 2)
  expect(two.hits).toHaveLength(2)
  const changed = { ...files, 'b.md': `${copy}The limit of each body is 70 pages here.\n` }
  const numbers = await find(changed, 'What is the limit of bodies?', 3)
  expect(numbers.hits.slice(0, 2).map(({ path }) => path)).toContain('b.md')
})

test('skips binary files with a reason', async () => {
  const { hits, skipped, read } = await find(
    {
      'a.md': '# Body\n\nbody limit\n',
      'b.bin': new Uint8Array([98, 111, 100, 121, 0, 1]),
      'c.txt': new Uint8Array([98, 111, 100, 121, 0x81, 0x8d, 0x02]),
      'd.pdf': '%PDF-1.4 body',
      'e.md': 'body '.repeat(500_000),
      'f.html': `<p>${'body '.repeat(500_000)}</p>`,
    },
    'body limit',
  )
  expect(hits.map(({ path }) => path)).toEqual(['a.md'])
  expect(read.files).toBe(1)
  expect(new Map(skipped.map(({ path, why }) => [path, why]))).toEqual(
    new Map([
      ['b.bin', 'binary'],
      ['c.txt', 'text in no known encoding'],
      ['d.pdf', 'it cannot be read: Invalid PDF structure.'],
      ['e.md', 'larger than 2 MiB'],
      ['f.html', 'larger than 2 MiB'],
    ]),
  )
})

test('reads a byte order mark, carriage returns and a line of a megabyte', async () => {
  const long = `${'x '.repeat(300_000)}the body limit is 5 ${'y '.repeat(300_000)}`
  const marked = await find({ 'a.md': '\uFEFF# Body\r\n\r\nThe limit is 3.\r\n' }, 'body limit')
  expect(marked.hits[0]?.text).toBe('# Body\n\nThe limit is 3.')
  const clipped = (await find({ 'b.txt': long }, 'body limit')).hits[0]?.text ?? ''
  expect(clipped).toContain('the body limit is 5')
  expect(clipped.length).toBeLessThan(2_000)
  expect(long).toContain(clipped)
})

test('gives the same result in any order of the files and in a second run', async () => {
  const dir = scratchWith(manual)
  const files = Object.keys(manual).map((path) => ({ path, real: join(dir, path) }))
  const search = { question: 'How many clients and retries are there?', limit: 5, signal }
  const once = await findPassages({ ...search, files })
  const turned = await findPassages({ ...search, files: [...files].reverse() })
  expect(turned.hits).toEqual(once.hits)
  expect(turned.coverage).toEqual(once.coverage)
})

test('uses little memory for thousands of files, with the same result', async () => {
  const dir = scratchWith({
    'a.md': `# Body\n\nThe body limit is 5.\n${'A line about nothing at all.\n'.repeat(400)}`,
  })
  const real = join(dir, 'a.md')
  const files = Array.from({ length: 4_000 }, (_, i) => ({ path: `${String(i).padStart(4, '0')}.md`, real }))
  const before = process.memoryUsage().rss
  const { hits, read } = await findPassages({ files, question: 'What is the body limit?', limit: 2, signal })
  expect(read.files).toBe(4_000)
  expect(hits[0]?.path).toBe('0000.md')
  expect(process.memoryUsage().rss - before).toBeLessThan(160 << 20)
})

test('skips a file that is deleted during the search', async () => {
  const dir = scratchWith({ 'a.md': 'body limit' })
  const files = ['a.md', 'gone.md'].map((path) => ({ path, real: join(dir, path) }))
  const { skipped } = await findPassages({ files, question: 'body', limit: 1, signal })
  expect(skipped.map(({ path }) => path)).toEqual(['gone.md'])
})

test('reports progress at once, and ends a cancelled search', async () => {
  const dir = scratchWith({})
  const text = readFileSync(new URL(import.meta.url), 'utf8').repeat(20)
  const files = Array.from({ length: 60 }, (_, i) => ({ path: `${i}.md`, real: join(dir, `${i}.md`) }))
  for (const { real } of files) writeFileSync(real, text)
  const seen: number[] = []
  const stop = new AbortController()
  const search = findPassages({
    files,
    question: 'progress of a cancelled search',
    limit: 3,
    signal: stop.signal,
    onProgress: ({ files: done, of }) => {
      expect(of).toBe(60)
      seen.push(done)
      setTimeout(() => stop.abort(), 0)
    },
  })
  await expect(search).rejects.toMatchObject({ failure: { code: 'cancelled' } })
  expect(seen[0]).toBe(0)
})

test('answers the question in German', async () => {
  const files = {
    'a.md': '# Grenzen\n\nDie größte Länge eines Pfades sind 4096 Zeichen.\n',
    'b.md': '# Sonst\n\nNichts.\n',
  }
  const { hits } = await find(files, 'Wie lang darf ein Pfad höchstens sein, und welche Länge hat er?')
  expect(hits[0]?.path).toBe('a.md')
})

test('ranks a table of contents after the sections that it lists', async () => {
  const links = ['Body limit', 'Body size', 'Limits of a body', 'Sizes'].map((one) => `- [${one}](#x)`)
  const files = {
    'a.md': `# Server\n\n${links.join('\n')}\n`,
    'b.md': '# Options\n\nThe limit of a body is one million bytes unless it is set.\n',
  }
  expect((await find(files, 'What is the limit of a body?')).hits[0]?.path).toBe('b.md')
})

test('reports a partial result if the requested number is missing', async () => {
  const text =
    '# Servers\n\nServers are configured in a file, and each of the configured servers is started.\n'
  const question = 'How many servers can be configured?'
  const without = await find({ 'a.md': text }, question)
  expect(without.coverage).toMatchObject({
    verdict: 'partial',
    gaps: [`no quote gives a number for: ${question.slice(0, -1)}`],
  })
  const named = await find({ 'a.md': `${text}\nAt most 16 servers can be configured.\n` }, question)
  expect(named.coverage.verdict).toBe('found')
})

test('reports in one line that there are more files than one search reads', () => {
  expect(describeSearchLimit({ files: 50_000, bytes: 1e9 })).toBeUndefined()
  expect(describeSearchLimit({ files: 3, bytes: 1.4e9 })).toBe(
    'there are 3 files with 1,400 MB: one search reads 50,000 files or 1 GB of them, ' +
      'what is likeliest to answer first; --root names a part',
  )
  expect(describeSearchLimit({ files: 61_000, bytes: 5e6 })).toMatch(/^there are 61,000 files with 5 MB: /)
})

const suite = bundledSuite('first').flatMap((file) => readSuite(file))
const corpusDir = join(import.meta.dirname, '../../../manual/examples/study/corpus')

test.each(suite)('$id: each weak passage adds something', async ({ question }) => {
  const files = readdirSync(corpusDir, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, real: join(corpusDir, path) }))
    .filter(({ real }) => statSync(real).isFile())
  const { hits } = await findPassages({ files, question, limit: 8, signal: new AbortController().signal })
  expect(hits.length).toBeGreaterThan(0)
  for (const [i, { score, matched, part }] of hits.entries()) {
    if (score >= 0.05 * (hits[0]?.score ?? 0)) continue
    const better = hits.slice(0, i)
    const isNew = matched.some((word) => !better.some((hit) => hit.matched.includes(word)))
    expect(isNew || !better.some((hit) => hit.part === part)).toBe(true)
  }
})
