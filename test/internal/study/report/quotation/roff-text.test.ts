// Checks that quotes of manual pages have no marks of roff.
import { expect, test } from 'vitest'
import { layOutQuote } from '../../../../../internal/study/report/quotation/quote-blocks.ts'
import { readRoff } from '../../../../../internal/study/report/quotation/roff-text.ts'

test.each([
  ['.TH FERRY 1 2024-06-12', ''],
  ['.SH "EXIT STATUS"', '# EXIT STATUS'],
  ['.BR \\-\\-pause " " \\fIMINUTES\\fR', '--pause MINUTES'],
  ['.B \\-\\-crew', '--crew'],
  ['.BR ls (1),', 'ls(1),'],
  ['.IP \\(bu 2\nOne.', '- •:\nOne.'],
  ['.TP\n.B \\-v\nMore words.', '- -v:\nMore words.'],
  ['.\\" a comment', ''],
  ['It\\(aqs \\f(CWcode\\fP, \\fB\\-n\\fR \\e', "It's code, -n \\"],
  ['\'\\" t', ''],
])('%j', (roff, text) => {
  expect(readRoff(roff.split('\n')).join('\n').trim()).toBe(text)
})

test('a quote of a manual page is titles, entries and paragraphs', () => {
  const quote =
    '.SH OPTIONS\n.TP\n.BR \\-\\-pause " " \\fIMINUTES\\fR\nThe longest pause.\nThe default is 417.'
  const blocks = layOutQuote({ path: 'ferry.1', quote, key: 'The default is 417.', heading: 'OPTIONS' })
  const text = '• --pause MINUTES: The longest pause. The default is 417.'
  expect(blocks).toMatchObject([{ kind: 'quote', text, keys: ['The default is 417.'] }])
})
