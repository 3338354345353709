// Checks of claims at the end of a study: a quote that was not found answers nothing, and no task checks
// it again.
import { expect, test } from 'vitest'
import { decideExitCode } from '../../../../internal/study/log/outcome.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { bench, look, oneTask } from '../../../support/study-run.ts'

const claim = (text: string, quote: string) => ({
  claims: [{ text, evidence: 'E1.1', quote }],
  gaps: [],
})
const text = 'The store locks with O_EXCL.'
const report = { task: 'report', text: '## Answer\n\nIt locks with O_EXCL [C1.1].' }

async function study(...answers: object[]) {
  const at = bench()
  const replies = [look, ...answers].map((reply) => ({ task: 't1', ...reply }))
  return at.start({ model: at.script([...replies, report]), plan: at.plan(oneTask) })
}

const wrong = claim(text, 'the store takes its locks with O_EXCL alone')
const right = claim(text, 'The store locks files with O_EXCL.')
const other = claim('Zebras graze at night.', 'The store locks files with O_EXCL.')

test.each([
  ['the quote is right', [right], { state: 'verified', code: 0, status: 'done', accuracy: 1, support: 1 }],
  [
    'a correction is right',
    [wrong, right],
    { state: 'verified', code: 0, status: 'done', accuracy: 1, support: 1 },
  ],
  [
    'a correction is wrong again',
    [wrong, wrong],
    { state: 'not_found', code: 5, status: 'partial', accuracy: 0, support: 0 },
  ],
  [
    'a correction is prose',
    [wrong, { text: 'I have nothing to add.' }],
    { state: 'not_found', code: 5, status: 'partial', accuracy: 0, support: 0 },
  ],
  [
    'there is no correction',
    [wrong, { claims: [], gaps: [] }],
    { state: 'not_found', code: 5, status: 'partial', accuracy: 0, support: 0 },
  ],
  [
    'a real quote states something else',
    [other, { claims: [], gaps: [] }],
    { state: 'quoted', code: 5, status: 'done', accuracy: 1, support: 0 },
  ],
])('%s', async (_, answers, wanted) => {
  const state = await study(...answers)
  const document = documentOf(state)
  expect(state.tasks.size).toBe(1)
  expect({
    state: document.claims[0]?.state,
    code: decideExitCode(state),
    status: state.status,
    accuracy: document.citation_accuracy,
    support: document.support,
  }).toEqual(wanted)
  expect(document.coverage).toBe(wanted.state === 'not_found' ? 0 : 1)
})
