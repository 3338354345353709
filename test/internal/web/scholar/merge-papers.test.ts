// Papers that several engines found, merged to one entry each. Other papers stay separate.
import { expect, test } from 'vitest'
import { mergePapers } from '../../../../internal/web/scholar/merge-papers.ts'
import type { ScholarPaper } from '../../../../internal/web/scholar/scholar-paper.ts'

const paper = (over: Partial<ScholarPaper>): ScholarPaper => ({
  title: 'A long enough title',
  authors: ['Ada Lovelace'],
  ...{ venue: null, year: null, citations: null, abstract: null, pdf: null, link: null, doi: null },
  sources: ['one'],
  ...over,
})

test('merges papers with the same DOI: fills gaps, keeps the higher citation count and the first position', () => {
  const first = paper({ doi: '10.1/a', citations: 3, venue: 'V' })
  const other = paper({ title: 'Another entirely', doi: '10.1/b' })
  const second = paper({
    ...{ title: 'A Title, abridged', doi: '10.1/a', citations: 7, venue: 'W', abstract: 'x' },
    sources: ['two'],
  })
  expect(mergePapers([first, other, second])).toEqual([
    { ...first, citations: 7, abstract: 'x', sources: ['one', 'two'] },
    other,
  ])
})

test('merges papers by title and family name, ignoring case, accents and punctuation', () => {
  const preprint = paper({ title: 'Über large-scale Réading', authors: ['K. Ohm'], doi: '10.1/arxiv' })
  const journal = paper({
    title: 'Uber Large Scale Reading.',
    authors: ['Karl Ohm'],
    doi: '10.1/j',
    year: 2020,
  })
  const third = paper({ title: 'UBER LARGE SCALE READING', authors: ['K Ohm'], pdf: 'https://x.test/' })
  expect(mergePapers([preprint, journal, third])).toEqual([
    { ...preprint, year: 2020, pdf: 'https://x.test/' },
  ])
})

test('joins results of two engines by the data of a third', () => {
  const byDoi = paper({ title: 'Shortened title here', doi: '10.1/a' })
  const joint = paper({ doi: '10.1/a' })
  const byTitle = paper({ pdf: 'https://x.test/' })
  expect(mergePapers([byDoi, joint, byTitle])).toHaveLength(1)
})

test('joins nothing by a short title, another author or a missing author', () => {
  expect(mergePapers([paper({ title: 'Preface' }), paper({ title: 'Preface' })])).toHaveLength(2)
  expect(mergePapers([paper({}), paper({ authors: ['Alan Turing'] })])).toHaveLength(2)
  expect(mergePapers([paper({ authors: [] }), paper({ authors: [] })])).toHaveLength(2)
})
