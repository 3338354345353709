// Quotes of reStructuredText as words and code.
import { expect, test } from 'vitest'
import { layOutQuote } from '../../../../../internal/study/report/quotation/quote-blocks.ts'

const blocks = (quote: string, heading = '') =>
  layOutQuote({ path: 'a.rst', quote, heading }).map(({ kind, text }) => [kind, text])

test.each<[string, string, string[][]]>([
  ['a title shown above', 'Debug\n=====\n\nIt is on.', [['quote', 'It is on.']]],
  ['another title', 'Other\n=====\n\nIt is on.', [['quote', 'Other\nIt is on.']]],
  [
    'code after two colons',
    'Run this::\n\n    $ a\n      b\n\n    $ c\n\nDone.',
    [
      ['quote', 'Run this:'],
      ['code', '$ a\n  b\n\n$ c'],
      ['quote', 'Done.'],
    ],
  ],
  [
    'code of a directive',
    '.. code-block:: sh\n   :linenos:\n\n   $ a\n\nDone.',
    [
      ['code', '$ a'],
      ['quote', 'Done.'],
    ],
  ],
  ['a notice on one line', '.. warning:: Not in production.', [['quote', '**Warning:** Not in production.']]],
  ['a notice with a body', '.. note::\n\n   Two words.', [['quote', '**Note:**\nTwo words.']]],
  ['a version', '.. versionadded:: 2.0\n   The option.', [['quote', 'New in version 2.0 The option.']]],
  ['what only steers', '.. _debug:\n\n.. index:: debug\n\nWords.', [['quote', 'Words.']]],
])('%s', (_, quote, expected) => {
  expect(blocks(quote, 'Manual > Debug')).toEqual(expected)
})
