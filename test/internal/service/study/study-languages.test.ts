// Studies with a model in nine languages: a worker's claims about a text of each language are verified.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../support/sources.ts'
import { bench } from '../../../support/study-run.ts'

const folder = join(root, 'test/fixtures/languages')
const questions: Record<string, [question: string, answer: string][]> = JSON.parse(
  readFileSync(join(folder, 'questions.json'), 'utf8'),
)

test.each(Object.entries(questions))('%s', async (language, asked) => {
  const text = readFileSync(join(folder, `${language}.md`), 'utf8')
  const at = bench({ 'port.md': text })
  const lines = text.split('\n')
  const claims = asked.map(([question, answer]) => ({
    text: `${question.replace(/[?？؟]$/u, '')} ${answer}`,
    evidence: 'E1.1',
    quote: lines.find((line) => line.includes(answer)) ?? '',
  }))
  const wrong = { text: asked[0]?.[0] ?? '', evidence: 'E1.1', quote: `${lines.at(2)} 9999` }
  const report = '## Answer\n\nOK [C1.1].'
  const state = await at.start({
    question: asked[0]?.[0] ?? '',
    model: at.script([
      { task: 't1', calls: [{ name: 'read', args: { path: 'port.md' } }] },
      { task: 't1', claims: [...claims, wrong] },
      { task: 't1', claims: [] },
      { task: 'report', text: report },
    ]),
    plan: at.plan([{ objective: asked[0]?.[0], terms: [asked[0]?.[1]] }]),
  })
  expect(state.status).toBe('done')
  const ids = [...state.claims.keys()]
  expect(ids).toHaveLength(asked.length + 1)
  const verdicts = ids.map((id) => state.verdicts.get(id)?.verified ?? false)
  // the last one quotes what the text does not have
  expect(verdicts).toEqual([...asked.map(() => true), false])
})
