// Code as runs: the shown text is always the written text, for every language and any text.
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import {
  type CodeGrammars,
  codeKinds,
  isReadableCode,
  maxCodeChars,
  maxCodeLine,
  readCodeRuns,
  splitCodeLines,
} from '../../../../internal/base/code/code-runs.ts'
import { leastCost } from '../../../support/cost.ts'
import { choice, rng } from '../../../support/rng.ts'

const grammars = createRequire(import.meta.url)(
  '../../../../internal/base/code/grammars.cjs',
) as CodeGrammars & {
  listLanguages(): string[]
}
const languages = grammars.listLanguages()

const words = (text: string, language: string) =>
  (readCodeRuns(text, language, grammars) ?? []).flatMap(({ text, kind }) => (kind ? [[text, kind]] : []))

test('knows at least twenty languages', () => {
  expect(languages.length).toBeGreaterThanOrEqual(20)
})

test.each([
  ['typescript', 'const a = 1', ['const', 'keyword']],
  ['typescript', '// note', ['// note', 'comment']],
  ['typescript', 'class Pen {}', ['Pen', 'type']],
  ['python', 'def draw():', ['draw', 'name']],
  ['python', "x = 'a'", ["'a'", 'string']],
  ['go', 'return nil', ['nil', 'number']],
  ['rust', 'fn main() {}', ['fn', 'keyword']],
  ['json', '{"a": 1}', ['"a"', 'property']],
  ['yaml', 'name: x', ['name:', 'property']],
  ['bash', 'echo "$HOME"', ['$HOME', 'property']],
  ['sql', 'SELECT 1', ['SELECT', 'keyword']],
  ['diff', '+added', ['+added', 'added']],
  ['diff', '-removed', ['-removed', 'removed']],
  ['typescript', '@sealed class A {}', ['@sealed', 'meta']],
])('%s: the words of %s', (language, text, expected) => {
  expect(words(text, language)).toContainEqual(expected)
})

test('code inside of a string is not a string', () => {
  const runs = readCodeRuns(`\`a \${b} c\``, 'typescript', grammars)
  expect(runs).toContainEqual({ text: `\${b}`, kind: undefined })
})

/** Parts of programs, of markup and of attacks on a terminal. */
const pieces = [
  ...[
    'if',
    'class ',
    'def f(',
    '"',
    "'",
    '`',
    `\${`,
    '}',
    '/*',
    '*/',
    '//',
    '#',
    '<?php',
    '<script>',
    '</',
    '&amp;',
  ],
  ...[
    '\n',
    '\t',
    ' ',
    '\\',
    '$(',
    '<<EOF\n',
    '"""',
    '--',
    '{{',
    '\r\n',
    '@',
    '=>',
    '0x1f',
    '1e9',
    '/a/g',
    '[[',
    ']]',
  ],
  ...[
    '\x1b[2J',
    '\x1b]0;x\x07',
    '\x00',
    '\u202e',
    '\ud800',
    '😀',
    'é',
    '中',
    '\u2028',
    '<b>',
    '&lt;',
    '%',
    '^',
    '|',
  ],
]

test.each(languages)('%s: the runs of any text are the text', (language) => {
  let plain = 0
  for (let seed = 1; seed <= 40; seed++) {
    const random = rng(seed)
    const text = Array.from({ length: 1 + Math.floor(random() * 60) }, () => choice(random, pieces)).join('')
    const runs = readCodeRuns(text, language, grammars)
    if (!runs) {
      // a grammar may lose characters of odd text, which therefore stays plain
      plain++
      continue
    }
    expect(runs.map((run) => run.text).join(''), `${language} ${seed}`).toBe(text)
    for (const { kind } of runs) expect([undefined, ...codeKinds]).toContain(kind)
    const lines = splitCodeLines(runs)
    expect(lines.map((line) => line.map((run) => run.text).join('')).join('\n')).toBe(text)
  }
  expect(plain).toBeLessThan(10)
})

test.each(languages)('%s: reads a text of repeated parts in a second', (language) => {
  for (const piece of [
    '(',
    '[',
    '{',
    '"',
    "'",
    '<',
    '\\',
    'a ',
    '/*',
    '--',
    '$',
    'a.b::',
    '=',
    '# ',
    '\n',
    '@a(',
  ]) {
    const line = piece.repeat(Math.floor(maxCodeLine / piece.length))
    const text = piece === '\n' ? line : `${line}\n`.repeat(5)
    expect(
      leastCost(500, () => readCodeRuns(text, language, grammars)),
      JSON.stringify(piece),
    ).toBeLessThan(1_000)
  }
})

test('a long text, a long line and an unknown language stay plain', () => {
  expect(isReadableCode('a\n'.repeat(maxCodeChars / 2))).toBe(true)
  expect(isReadableCode('a\n'.repeat(maxCodeChars / 2 + 1))).toBe(false)
  expect(isReadableCode(`a\n${'b'.repeat(maxCodeLine)}`)).toBe(true)
  expect(isReadableCode(`a\n${'b'.repeat(maxCodeLine + 1)}`)).toBe(false)
  expect(readCodeRuns('x'.repeat(1_000_000), 'typescript', grammars)).toBeUndefined()
  expect(readCodeRuns('const a = 1', 'klingon', grammars)).toBeUndefined()
})

test('a text that the grammar would change stays plain', () => {
  const other = {
    getLanguage: () => ({}),
    highlight: () => ({ _emitter: { rootNode: { children: ['b'] } } }),
  }
  expect(readCodeRuns('a', 'ts', other)).toBeUndefined()
  expect(readCodeRuns('b', 'ts', other)).toEqual([{ text: 'b', kind: undefined }])
  expect(readCodeRuns('b', 'ts', { ...other, highlight: () => ({}) })).toBeUndefined()
})
