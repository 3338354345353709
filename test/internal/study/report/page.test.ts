import { expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { numbers, page } from '../../../../internal/study/report/page.ts'
import { reported, studyOf } from '../../../support/study.ts'

const titles = (state: ReturnType<typeof reported>) =>
  page(documentOf(state)).flatMap((piece) => (piece.kind === 'section' ? [piece.text] : []))
const sections = [
  'Answer',
  'Findings',
  'Contradictions',
  'Gaps',
  'Sources',
  'Failed and not run',
  'Budget',
  'Reproduce',
]

it('has every section, whatever there is to say', () => {
  expect(titles(reported())).toEqual(sections)
  expect(titles(studyOf([]))).toEqual(sections)
})

it('sets contradictions side by side even when the aggregator did not', () => {
  const state = reported()
  state.report = { markdown: '## Answer\n\nIt is so [C1.1].', uncited: 0 }
  const pieces = page(documentOf(state))
  const at = pieces.findIndex((piece) => piece.kind === 'section' && piece.text === 'Contradictions')
  expect(pieces[at + 1]).toEqual({
    kind: 'list',
    ordered: false,
    items: [
      '"The store takes its lock with O_EXCL within 5 seconds." [C1.1] against ' +
        '"The store takes its lock with O_EXCL within 30 seconds." [C1.2]',
    ],
  })
})

it('repeats no gap and no contradiction', () => {
  const text = JSON.stringify(page(documentOf(reported())))
  expect(text.split('recovery order')).toHaveLength(2)
  expect(text.split(' against ')).toHaveLength(2)
})

it('shows each source of a citation once, unverified when one of its claims is', () => {
  const state = reported()
  const document = documentOf(state)
  expect(numbers(document, ['C1.1', 'C2.1', 'C1.2', 'C9.9'])).toEqual([
    { n: 1, verified: true },
    { n: 2, verified: true },
  ])
  state.verdicts.delete('C2.1')
  expect(numbers(documentOf(state), ['C1.1', 'C2.1'])).toEqual([{ n: 1, verified: false }])
})
