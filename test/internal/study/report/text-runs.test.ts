// Words of a report: citations as numbers, links that are safe to follow, the key words in bold.
import { describe, expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { plainWords, readQuote, readWords } from '../../../../internal/study/report/text-runs.ts'
import { reported } from '../../../support/study.ts'

const document = documentOf(reported())
const linksOf = (words: string) => readWords(document, words).map(({ text, link }) => [text, link?.href])
const boldOf = (words: string, key: string) =>
  plainWords(readWords(document, words, { keys: [key] }).filter(({ isBold }) => isBold))

describe('citations', () => {
  it('are numbers of sources, and tell which are not verified', () => {
    const state = reported()
    state.verdicts.delete('C1.2')
    const runs = readWords(documentOf(state), 'So  it is [C1.1, C1.2]; **and\x1b[31m [C9.9]**.')
    expect(plainWords(runs)).toBe('So it is [1, 2 not verified]; and [no source].')
    expect(runs.flatMap(({ cited }) => cited ?? [])).toEqual([
      { n: 1, state: 'verified' },
      { n: 2, state: 'not_found' },
    ])
  })

  it('mark sentences without one', () => {
    const [words, mark] = readWords(document, 'It is 5. [uncited]')
    expect(words).toEqual({ text: 'It is 5. ' })
    expect(mark).toMatchObject({ text: '[uncited]', isDoubt: true })
  })
})

describe('links', () => {
  it.each([
    ['[a](https://b.example/c)', [['a', 'https://b.example/c']]],
    ['[a](mailto:b@c.example)', [['a', 'mailto:b@c.example']]],
    ['[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd)', [['a b c', undefined]]],
    ['[a](LICENSE) [b](#c)', [['a b', undefined]]],
    ['[https://bank.example](https://evil.example)', [['https://evil.example', 'https://evil.example']]],
    ['[www.bank.example](https://evil.example)', [['https://evil.example', 'https://evil.example']]],
    ['[b.example/c](https://b.example/c)', [['b.example/c', 'https://b.example/c']]],
  ])('%s', (words, expected) => {
    expect(linksOf(words)).toEqual(expected)
  })

  it('lead to no image', () => {
    expect(readWords(document, '![a](https://b.example/p.png)')).toEqual([
      { text: 'a', isItalic: true, link: undefined },
    ])
  })
})

describe('key words', () => {
  it.each([
    ['one two three', 'two', 'two'],
    ['one `two` *three* four', '`two` *three*', 'two three'],
    ['one `two three` four', 'one `two', ''],
    ['**one** two', 'two', 'onetwo'],
    ['one', 'other', ''],
  ])('%s: %s', (words, key, bold) => {
    expect(boldOf(words, key)).toBe(bold)
  })
})

it('quotes in the list of sources are read like their source, programs are not read', () => {
  const quote = { claim: 'C1.1', place: 'a', note: '', text: 'use ``a``  and\n`b <https://c.example>`_' }
  expect(plainWords(readQuote({ ...quote, markup: 'rst' }))).toBe('use a and b')
  expect(plainWords(readQuote(quote))).toBe('use ``a`` and `b <https://c.example>`_')
})
