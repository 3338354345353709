// The detection of study reports among texts.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isStudyReport } from '../../../internal/text-analysis/study-report.ts'

const golden = (name: string) => readFileSync(new URL(`../../golden/study/${name}`, import.meta.url), 'utf8')

test.each(['report.md', 'report.txt', 'report.html'])('%s is a report', (name) => {
  expect(isStudyReport(golden(name))).toBe(true)
})

test('recognizes the output of a study as a report, with and without a warning', () => {
  const body = '## Answer\n\n> It is so.\n\n## Sources\n\n1. [`a.md:1`](<a.md#L1>)\n'
  expect(isStudyReport(body)).toBe(true)
  expect(isStudyReport(`> **Partial result.**\n\n${body}`)).toBe(true)
})

test('recognizes the JSON form of a report', () => {
  expect(isStudyReport('{"id": "01", "citation_accuracy": 1, "uncited": 0, "repaid_steps": 0}')).toBe(true)
})

test('does not take pages about studies, answers or other JSON for reports', () => {
  const manual = readFileSync(new URL('../../../manual/study.md', import.meta.url), 'utf8')
  expect(isStudyReport(manual)).toBe(false)
  expect(isStudyReport('## Answer\n\nIt is so.\n\n## Sources\n\nNone.\n')).toBe(false)
  expect(isStudyReport('{"uncited": 1}')).toBe(false)
  expect(isStudyReport('anode study verify ID and anode study trace ID')).toBe(false)
})
