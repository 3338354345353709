// ASCII texts in UTF-16 without a mark: the bytes that are looked for, and what grep finds by them.
import { expect, test } from 'vitest'
import { utf16Pattern } from '../../../internal/search/utf16-pattern.ts'
import { grep } from '../../../internal/tools/search/grep.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { scratchWith } from '../../support/scratch.ts'

const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
const encode = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}
const matches = (pattern: string | undefined, bytes: Buffer) =>
  pattern !== undefined && new RegExp(pattern.slice('(?-u)'.length)).test(bytes.toString('latin1'))

test('each pair of printable characters is found in both byte orders, and no other pair is', () => {
  const pairs = printable.flatMap((first, i) =>
    [0, 1, 7, 32, 61].map((by) => first + printable[(i + by) % 95]),
  )
  for (const isLittle of [true, false])
    for (const [i, text] of pairs.entries()) {
      const other = pairs[(i + 3) % pairs.length] as string
      for (const caseSensitive of [true, false]) {
        const pattern = utf16Pattern({ patterns: [text], regex: false, caseSensitive })
        const turned = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
        expect(matches(pattern, encode(`a ${text}.`, isLittle)), text).toBe(true)
        const isSame = caseSensitive ? other === text : other.toLowerCase() === text.toLowerCase()
        expect(matches(pattern, encode(`§${other}§`, isLittle)), `${text} in ${other}`).toBe(isSame)
        expect(matches(pattern, encode(turned, isLittle)), turned).toBe(!caseSensitive || turned === text)
      }
    }
})

test.each([
  ['parseName', ['parseName'], ['parse name']],
  ['parse|print', ['to parse it', 'sprint'], ['pars|prin']],
  ['f\\(x\\)|a\\.b', ['f(x)', 'a.b'], ['f\\(x\\)', 'aXb', 'fx']],
  ['a\\|b', ['a|b'], ['a', 'b']],
])('the expression %j is taken for its texts', (expression, found, missing) => {
  const pattern = utf16Pattern({ patterns: [expression], regex: true, caseSensitive: true })
  for (const text of found) expect(matches(pattern, encode(text, true)), text).toBe(true)
  for (const text of missing) expect(matches(pattern, encode(text, true)), text).toBe(false)
})

test.each(['a.b', 'a+', '\\w', 'a\\b', '[ab]', '^a', 'a$', '(a)', 'a{2}', '\\d|x', 'a?', 'ä', 'x|'])(
  'makes no pattern for other encodings of the expression %j',
  (expression) => {
    expect(utf16Pattern({ patterns: [expression], regex: true, caseSensitive: true })).toBeUndefined()
  },
)

const words = 'timetable of the harbour: Ferry_17 leaves (north) at a|b, "task" \\path ~ 100%\n'
const rows = ['ferry_17', '(north)', 'a|b', '"task"', '\\path', '100%', 'HARBOUR', 'leaves (']

test.each([
  ['UTF-16LE', true],
  ['UTF-16BE', false],
] as const)('grep finds texts in %s next to files in other encodings', async (_, isLittle) => {
  const dir = scratchWith({
    'wide.txt': encode(words.repeat(3), isLittle),
    'folded.txt': encode(words.replace('task', 'ta\u017f\u212a'), isLittle),
    'latin.txt': Buffer.from('Fähre und Förde, täglich um fünf\n'.repeat(4), 'latin1'),
    'image.bin': Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 52, 49, 50, 0, 200, 7]),
  })
  const ctx = ctxWith({ processes: { run } }, { cwd: dir })
  for (const pattern of rows) {
    const { text } = await call(grep, { pattern }, ctx)
    expect(text, pattern).toContain('wide.txt:1')
    expect(text, pattern).not.toContain('image.bin')
  }
  expect((await call(grep, { pattern: 'task' }, ctx)).text).toContain('folded.txt:1')
  expect((await call(grep, { pattern: 'nowhere|north', regex: true }, ctx)).text).toContain('wide.txt:1')
})

test('does not search in other encodings for a text that no file contains', async () => {
  const latin = Buffer.from('die Fähre fährt täglich über die Förde\n', 'latin1')
  const dir = scratchWith(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}.txt`, latin])))
  const { text } = await call(
    grep,
    { pattern: 'zebra_nowhere' },
    ctxWith({ processes: { run } }, { cwd: dir }),
  )
  expect(text).not.toContain('other encodings')
})
