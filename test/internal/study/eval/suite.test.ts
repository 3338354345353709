import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UserError } from '../../../../internal/base/errors.ts'
import { readSuite } from '../../../../internal/study/eval/suite.ts'
import { scratchWith } from '../../../support/scratch.ts'

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
  expect(a).toMatchObject({ id: 'a', question: 'What?', root: join(dir, 'corpus') })
  expect(b?.root).toBe(join(dir, 'more'))
  expect(a?.known.facts.map(({ id }) => id)).toEqual(['1'])
  expect(b?.known.facts[0]).toMatchObject({ id: '2', required: true })
  expect(b?.known.injections).toHaveLength(1)
})

it.each([
  ['no file', {}, /cannot read .*suite\.jsonl/],
  ['no question', { 'suite.jsonl': '\n' }, /holds no question/],
  [
    'no JSON',
    { 'suite.jsonl': '{"id":"a","question":"q"}\n{', 'facts.json': '{"facts":[]}' },
    /suite\.jsonl:2: /,
  ],
  ['an unknown field', { 'suite.jsonl': '{"id":"a","question":"q","rot":"x"}' }, /suite\.jsonl:1: .*rot/],
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
