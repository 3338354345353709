// The detection of an earlier report in each of its formats, and of nothing else.
import { expect, it } from 'vitest'
import { drawReport, reportFormats } from '../../../../cmd/anode/study/output/study-presenter.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { isStudyReport } from '../../../../internal/study/report/earlier-report.ts'
import { reported } from '../../../support/study.ts'

it.each(reportFormats)('detects a report as %s', async (format) => {
  const drawn = Buffer.from(await drawReport(documentOf(reported()), format, { env: { NO_COLOR: '1' } }, {}))
  expect(isStudyReport(drawn)).toBe(true)
  // a report that is cut before its name is not detected
  expect(isStudyReport(drawn.subarray(0, 30))).toBe(false)
})

it.each([
  ['a text', '# Notes\n\nStudy: of locks\n'],
  ['a page', '<!doctype html><dt>Study</dt><dd>of locks</dd>'],
  ['an object', '{\n  "id": "7",\n  "version": 1\n}\n'],
  ['a PDF', '%PDF-1.7\n(Another)'],
  ['a PDF with the name in its text', '%PDF-1.7\n(About \\(Anode\\) and (Anode) Tj'],
  ['an archive', 'PK\x03\x04 docProps/core.xml and no more'],
  ['an archive that ends too soon', 'PKdocProps/core.xml'],
])('does not detect %s of another program', (_, text) => {
  expect(isStudyReport(Buffer.from(text))).toBe(false)
})
