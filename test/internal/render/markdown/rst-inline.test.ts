// Inline markup of reStructuredText and of comments in code, read as the same runs as Markdown.
import { expect, it, test } from 'vitest'
import { parseInline } from '../../../../internal/render/markdown/inline.ts'
import type { InlineRun } from '../../../../internal/render/markdown/inline-run.ts'
import { rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

/** Runs in a short form: `b:` bold, `i:` italic, `c:` code, and the target of a link behind `>`. */
const brief = (runs: readonly InlineRun[]) =>
  runs.map(({ text, isBold, isItalic, isCode, link }) => {
    const look = (isBold ? 'b' : '') + (isItalic ? 'i' : '') + (isCode ? 'c' : '')
    return `${look === '' ? '' : `${look}:`}${text}${link ? `>${link.href}` : ''}`
  })

test.each<[string, string[]]>([
  ['``--debug`` and *only* in **all**', ['c:--debug', ' and ', 'i:only', ' in ', 'b:all']],
  ['see `the guide <https://a.example/b_c>`_.', ['see ', 'the guide>https://a.example/b_c', '.']],
  ['`a <https://a.example>`__ `b`_', ['a>https://a.example', ' b']],
  ['``a`b`` and ``c``', ['c:a`b', ' and ', 'c:c']],
  ['see :func:`flask.run`, :class:`~flask.Flask`', ['see ', 'c:flask.run', ', ', 'c:Flask']],
  [':ref:`debugging` and :doc:`the shell </shell>`', ['debugging and the shell']],
  [':pep:`8`', ['PEP 8']],
  ['`role`', ['c:role']],
  ['2 * 3 * 4, *args, **kwargs, a*b*c', ['2 * 3 * 4, *args, **kwargs, a*b*c']],
  ['src/**/x and test/**/y', ['src/**/x and test/**/y']],
  ['__init__ and _private_', ['__init__ and _private_']],
  ['\\*no\\* a\\ b', ['*no* ab']],
  ['at https://a.example/x_y.', ['at ', 'https://a.example/x_y>https://a.example/x_y', '.']],
  ['*a ``b`` c*', ['i:a ', 'ic:b', 'i: c']],
  ['one ` tick', ['one ` tick']],
])('%j as reStructuredText', (text, expected) => {
  expect(brief(parseInline(text, 'rst'))).toEqual(expected)
})

test.each<[string, string[]]>([
  ['matches \\d+ and `x`', ['matches \\d+ and ', 'c:x']],
  [
    'see [the guide](https://a.example) and [rel](a.md)',
    ['see ', 'the guide>https://a.example', ' and [rel](a.md)'],
  ],
  ['`__proto__` of _x_', ['c:__proto__', ' of _x_']],
])('%j as a comment', (text, expected) => {
  expect(brief(parseInline(text, 'comment'))).toEqual(expected)
})

it('loses no letter or digit of any text', () => {
  const parts = ['a', ' ', '*', '**', '`', '``', '<https://c.d>', '_', '__', '\\', '[e](https://f.g)', '9']
  for (let seed = 1; seed <= rounds(500, 20_000); seed++) {
    const random = rng(seed)
    const text = Array.from({ length: 12 }, () => parts[Math.floor(random() * parts.length)]).join('')
    for (const markup of ['rst', 'comment'] as const) {
      const runs = parseInline(text, markup)
      const all = runs
        .map((run) => run.text + (run.link && run.link.href !== run.text ? run.link.href : ''))
        .join('')
      const letters = (words: string) => words.replace(/[^a9]/g, '')
      expect(letters(all), text).toBe(letters(text))
    }
  }
})

test.each(['``a', '`a <', '**a', '*a', ':a:`', '[a](', 'http://'])('%s 2,000 times takes no time', (part) => {
  const text = `${part} `.repeat(2_000).slice(0, 8_000)
  expect(parseInline(text, 'rst').length).toBeGreaterThan(0)
})
