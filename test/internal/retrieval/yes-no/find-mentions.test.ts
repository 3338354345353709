// Yes-or-no questions over real directories: texts that state a word, and texts that only mention it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { scratchWith } from '../../../support/scratch.ts'

function find(files: Record<string, string>, question = 'Does it speak FTP?') {
  const dir = scratchWith(files)
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  return findPassages({ files: list, question, limit: 8, signal: new AbortController().signal })
}
const readme = { 'README.md': '# Fetcher\n\nFetches addresses of http and https. It can speak to proxies.\n' }
const golden = '[{ "url": "ftp://example.com",\n "text": "ftp: addresses cannot be fetched" }]\n'

test('tests, data and URLs do not prove a feature, and a text that denies it is listed', async () => {
  const { coverage, mentions } = await find({
    ...readme,
    'test/golden/fetch.json': golden,
    'test/fetch.test.ts': "test('schemes', () => {\n  fetchAll(['ftp://a.test/x'])\n})\n",
    'src/links.ts': '// mirrors: ftp://mirror.example.org/pub\nexport const mirrors = 2\n',
  })
  expect(coverage).toMatchObject({ verdict: 'nothing', missing: [], mentioned: ['FTP'] })
  expect(mentions).toEqual([{ word: 'FTP', path: 'test/golden/fetch.json', line: 2, refuses: true }])
})

test.each([
  ['a sentence', { 'docs/a.md': '# Protocols\n\nFTP is spoken as well, in passive mode.\n' }],
  ['a title', { 'docs/ftp.md': '# FTP\n\nIn passive mode.\n' }],
  [
    'a definition',
    { 'src/ftp-client.ts': 'export class FtpClient {\n  constructor(readonly host: string) {}\n}\n' },
  ],
  ['a plain refusal', { 'docs/a.md': '# Limits\n\nFTP is not supported.\n' }],
])('%s is an answer', async (_, files) => {
  const { coverage, mentions, hits } = await find({ ...readme, ...files, 'test/golden/fetch.json': golden })
  expect(coverage.verdict).toBe('found')
  expect(mentions).toEqual([])
  expect(hits[0]?.path).toBe(Object.keys(files)[0])
})

test('a single position in a program is not enough for a yes', async () => {
  const code = { 'src/escape.ts': 'export function ports() {\n  return { http: 80, ftp: 21 }\n}\n' }
  expect((await find({ ...readme, ...code })).coverage.verdict).toBe('partial')
})

test('finds nothing for a word in lower case, and lists a word that appears nowhere as missing', async () => {
  const small = await find({ ...readme, 'test/golden/fetch.json': golden }, 'does it support ftp?')
  expect(small.coverage.verdict).toBe('nothing')
  const none = await find(readme, 'Does it speak QUIX?')
  expect(none.coverage).toMatchObject({ verdict: 'nothing', missing: ['QUIX'], mentioned: [] })
})

test('a question about tests, or one that is not a yes-no question, reads tests as usual', async () => {
  const files = { ...readme, 'test/golden/fetch.json': golden }
  for (const question of ['Do the tests fetch FTP addresses?', 'Which FTP addresses are there?'])
    expect((await find(files, question)).coverage.verdict, question).not.toBe('nothing')
})
