// References that other programs read.
import { expect, test } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { formatCitations } from '../../../../internal/study/report/citation.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

const at = (id: string, canonical: string, locator: string) => [
  makeStudyEntry('evidence', evidence(`E${id}`, `quote ${id}`, { canonical, locator })),
  makeStudyEntry('claim', claim(`C${id}`, `quote ${id}`, { evidence: `E${id}` })),
]
const document = documentOf(
  studyOf([
    ...at('1.1', 'papers/tide_pools.pdf', 'page 1, lines 2-3'),
    ...at('1.2', 'papers/tide_pools.pdf', 'page 4'),
    ...at('1.3', 'src/tide pools.ts', '12'),
    ...at('1.4', 'https://example.org/tide/', ''),
    makeStudyEntry('source', {
      canonical: 'papers/tide_pools.pdf',
      kind: 'PDF',
      weight: 'primary',
      bytes: 10,
      title: 'Pools {cold} & 50 % wet',
      date: '2023-09-14',
    }),
    makeStudyEntry('source', {
      canonical: 'src/tide pools.ts',
      kind: 'code',
      weight: 'primary',
      bytes: 10,
      link: 'https://github.com/a/b/blob/c0/src/tide%20pools.ts',
    }),
    makeStudyEntry('source', {
      canonical: 'https://example.org/tide/',
      kind: 'web page',
      weight: 'secondary',
    }),
  ]),
)
const day = document.created.slice(0, 10)

test('BibTeX: one entry for each source, nothing in it that BibTeX would take for its own', () => {
  expect(formatCitations(document, 'bibtex').split('\n\n')).toEqual([
    [
      '@misc{tide-pools-2023,',
      '  title = {{Pools (cold) \\& 50 \\% wet}},',
      '  year = {2023},',
      '  month = {9},',
      '  howpublished = {PDF, papers/tide\\_pools.pdf},',
      '  note = {page 1, lines 2-3; page 4},',
      '}',
    ].join('\n'),
    [
      '@misc{tide-pools,',
      '  title = {{tide pools.ts}},',
      '  howpublished = {code, src/tide pools.ts},',
      '  note = {line 12},',
      '  url = {https://github.com/a/b/blob/c0/src/tide%20pools.ts},',
      `  urldate = {${day}},`,
      '}',
    ].join('\n'),
    [
      '@misc{tide,',
      '  title = {{https://example.org/tide/}},',
      '  howpublished = {web page, https://example.org/tide/},',
      '  url = {https://example.org/tide/},',
      `  urldate = {${day}},`,
      '}\n',
    ].join('\n'),
  ])
})

test('CSL-JSON', () => {
  const [paper, code, page] = JSON.parse(formatCitations(document, 'csl'))
  expect(paper).toEqual({
    id: 'tide-pools-2023',
    type: 'document',
    title: 'Pools {cold} & 50 % wet',
    issued: { 'date-parts': [[2023, 9, 14]] },
    medium: 'PDF',
    source: 'papers/tide_pools.pdf',
    note: 'page 1, lines 2-3; page 4',
  })
  expect([code.type, code.URL]).toEqual(['software', 'https://github.com/a/b/blob/c0/src/tide%20pools.ts'])
  expect([page.type, page.accessed]).toEqual(['webpage', { 'date-parts': [day.split('-').map(Number)] }])
})
