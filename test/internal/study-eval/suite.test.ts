import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { UserError } from '../../../internal/base/errors.ts'
import { readSuite } from '../../../internal/study-eval/suite.ts'
import { scratchWith } from '../../support/scratch.ts'

const fact = (id: string, question: string) => ({
  id,
  question,
  stated: [{ path: 'a.md', text: 'It is so.' }],
})

it('gives each question the facts that are its own', () => {
  const dir = scratchWith({
    'suite.jsonl': '{"id":"a","question":"What?"}\n\n{"id":"b","question":"Why?","root":"more"}\n',
    'facts.json': JSON.stringify({
      facts: [fact('1', 'a'), fact('2', 'b')],
      injections: [{ path: 'a.md', canary: 'X-1' }],
    }),
  })
  const [a, b] = readSuite(join(dir, 'suite.jsonl'))
  const whole = (at: string) => [{ folder: '', source: { kind: 'folder', dir: join(dir, at) } }]
  expect(a).toMatchObject({
    id: 'a',
    question: 'What?',
    corpus: { name: 'corpus', sources: whole('corpus') },
  })
  expect(b?.corpus.sources).toMatchObject(whole('more'))
  expect(a?.known.facts.map(({ id }) => id)).toEqual(['1'])
  expect(b?.known.facts[0]).toMatchObject({ id: '2', required: true })
  expect(b?.known.injections).toHaveLength(1)
})

it('has facts in the line, corpora by name, and halves, in a compressed file too', () => {
  const line = {
    id: 'a',
    question: 'What?',
    corpus: 'texts',
    half: 'sealed',
    facts: [{ id: '1', stated: [], figures: ['5'] }],
  }
  const none = { id: 'b', question: 'Why?', corpus: 'texts', facts: [], absent: ['moon'] }
  const dir = scratchWith({
    'suite.jsonl': `${JSON.stringify(line)}\n${JSON.stringify(none)}\n`,
    'corpora.json': '{"texts": {"root": "..", "only": ["*.md"]}}',
  })
  const packed = join(dir, 'suite.jsonl.gz')
  writeFileSync(packed, gzipSync(readFileSync(join(dir, 'suite.jsonl'))))
  const [a, b] = readSuite(join(dir, 'suite.jsonl'))
  expect(a).toMatchObject({ half: 'sealed', corpus: { name: 'texts' } })
  expect(a?.corpus.sources[0]?.source).toMatchObject({ kind: 'folder', dir: dirname(dir), only: ['*.md'] })
  expect(a?.known.facts).toEqual([{ id: '1', question: 'a', required: true, stated: [], figures: ['5'] }])
  expect(a).not.toHaveProperty('absent')
  expect(b).toMatchObject({ absent: ['moon'] })
  expect(readSuite(packed)).toEqual(readSuite(join(dir, 'suite.jsonl')))
})

it.each([
  ['no file', {}, /cannot read .*suite\.jsonl/],
  ['no question', { 'suite.jsonl': '\n' }, /no questions in/],
  [
    'no JSON',
    { 'suite.jsonl': '{"id":"a","question":"q"}\n{', 'facts.json': '{"facts":[]}' },
    /suite\.jsonl:2: /,
  ],
  ['an unknown field', { 'suite.jsonl': '{"id":"a","question":"q","rot":"x"}' }, /suite\.jsonl:1: .*rot/],
  [
    'a corpus that nothing has',
    { 'suite.jsonl': '{"id":"a","question":"q","corpus":"x","facts":[]}', 'corpora.json': '{}' },
    /suite\.jsonl:1: .*corpora\.json has no corpus x/,
  ],
  [
    'a commit that is a flag',
    {
      'suite.jsonl': '{"id":"a","question":"q","corpus":"x","facts":[]}',
      'corpora.json': '{"x":{"repository":"https://example.org/a.git","commit":"--all"}}',
    },
    /corpora\.json: x/,
  ],
  ['no facts', { 'suite.jsonl': '{"id":"a","question":"q"}' }, /cannot read .*facts\.json/],
  [
    'a fact without passages',
    { 'suite.jsonl': '{"id":"a","question":"q"}', 'facts.json': '{"facts":[{"id":"1","question":"a"}]}' },
    /facts\.json: facts\.0\.stated/,
  ],
])('says where %s is wrong', (_, files, expected) => {
  const dir = scratchWith(files as unknown as Record<string, string>)
  expect(() => readSuite(join(dir, 'suite.jsonl'))).toThrow(expected)
  expect(() => readSuite(join(dir, 'suite.jsonl'))).toThrow(UserError)
})
