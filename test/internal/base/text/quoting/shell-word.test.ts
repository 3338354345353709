// Words that a real shell reads unchanged.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoteForShell, quoteWord } from '../../../../../internal/base/text/quoting/shell-word.ts'

const words = [
  ...['plain', 'src/a-b_c.ts', 'x=1', 'user@host:22', '100%', 'a,b', '+x'],
  ...['', ' ', 'two words', "it's", '"', '$HOME', '`id`', '\\', '!', '*', '~', '#'],
  ...[';', '&', '|', '(', '<', 'a\nb', 'é'],
]

it.each(words)('%j', (word) => {
  const read = (quoted: string) => execFileSync('sh', ['-c', `printf '[%s]' ${quoted}`], { encoding: 'utf8' })
  expect(read(quoteForShell(word))).toBe(`[${word}]`)
  expect(read(quoteWord(word))).toBe(`[${word}]`)
})

it('quotes only where a shell needs it', () => {
  expect(words.filter((word) => quoteWord(word) === word)).toEqual(words.slice(0, 7))
})
