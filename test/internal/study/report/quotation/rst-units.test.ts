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
  ['a definition', 'reloader\n    Restarts the server.', [['quote', 'reloader: Restarts the server.']]],
  ['an item over two lines', '- One\n  and two.', [['quote', '- One and two.']]],
  ['a sentence with an indented rest', 'It is on:\n   and on.', [['quote', 'It is on: and on.']]],
  ['a substitution', '.. |name| replace:: ``--debug``\n\nWords.', [['quote', 'Words.']]],
  ['what only steers', '.. _debug:\n\n.. index:: debug\n\nWords.', [['quote', 'Words.']]],
])('%s', (_, quote, expected) => {
  expect(blocks(quote, 'Manual > Debug')).toEqual(expected)
})

const languages = (quote: string, path = 'a.rst') =>
  layOutQuote({ path, quote, heading: '' }).flatMap((block) =>
    block.kind === 'code' ? [[block.language, block.text]] : [],
  )

const code = '   def f():\n       return 1'
const plain = 'def f():\n    return 1'
test.each<[string, string, (string | undefined)[][]]>([
  ['a directive', `.. code-block:: python\n\n${code}`, [['python', plain]]],
  ['its older name', `.. sourcecode:: Python\n\n${code}`, [['python', plain]]],
  ['its short name', `.. code:: py\n\n${code}`, [['py', plain]]],
  ['a directive with options', `.. code-block:: python\n   :linenos:\n\n${code}`, [['python', plain]]],
  ['a directive in a list', '- One:\n\n  .. code-block:: c\n\n     a;\n       b;', [['c', 'a;\n  b;']]],
  ['a directive without a name', `.. code-block::\n\n${code}`, [[undefined, plain]]],
  ['an empty line inside', `.. code-block:: c\n\n   a;\n\n   b;`, [['c', 'a;\n\nb;']]],
  [
    'aligned columns',
    '.. code-block:: c\n\n   a;     // one\n   bc;    // two',
    [['c', 'a;     // one\nbc;    // two']],
  ],
  [
    'two directives',
    '.. code-block:: c\n\n   a;\n\n.. code-block:: sh\n\n   b',
    [
      ['c', 'a;'],
      ['sh', 'b'],
    ],
  ],
  ['two colons', `Run::\n\n${code}`, [[undefined, plain]]],
  ['two colons below a setting', `.. highlight:: python\n\nRun::\n\n${code}`, [['python', plain]]],
])('reads the language of code after %s', (_, quote, expected) => {
  expect(languages(quote)).toEqual(expected)
})

test.each(['```{code-block} python', '```python', '~~~{code-cell} python'])(
  'reads the language of %s',
  (line) => {
    expect(languages(`${line}\n${plain}\n${line.slice(0, 3)}`, 'a.md')).toEqual([['python', plain]])
  },
)
