// Quotes of any text against files: found at their line, elsewhere, missing, or without a file.

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkQuotes } from '../../../../internal/service/features/quote-check.ts'
import { scratchWith } from '../../../support/scratch.ts'

const files = {
  'src/add.js': '// adds numbers\nexport const add = (a, b) => a + b\n',
  'notes.md': 'The timeout is thirty seconds.\n\nIt can be changed.\n',
  'secret.txt': 'the secret is here\n',
}
const isOpen = (path: string) => !path.includes('secret')

it.each([
  ['src/add.js:2 has "export const add = (a, b) => a + b".', ['found']],
  ['"export const add = (a, b) => a + b" (src/add.js:1)', ['elsewhere']],
  ['"export const add = (a, b) => a - b" is in src/add.js', ['missing']],
  ['The file says “The timeout is thirty seconds.” (notes.md:1-3)', ['found']],
  ['> It can be changed.\n\nnotes.md:3', ['found']],
  ['notes.md:\n\n```\nIt can be changed.\n```\n', ['found']],
  ['notes.md has "The timeout is thirty seconds.". src/add.js:1 has "adds numbers".', ['found', 'found']],
  ['src/add.js:1 says "adds numbers" and notes.md:1 says "The timeout is thirty"', ['found', 'found']],
  ['"adds numbers" (src/add.js:1) and "The timeout is thirty" (notes.md:1)', ['found', 'found']],
  ['"adds numbers" from src/add.js:1; "The timeout is thirty" in notes.md:1', ['found', 'found']],
  [
    'src/add.js has "adds numbers", notes.md has "It can be changed" and "The timeout"',
    ['found', 'found', 'found'],
  ],
  ['"nothing names a file"', ['no_file']],
  ['missing.md:1 has "anything at all"', ['no_file']],
  ['secret.txt:1 has "the secret is here"', ['no_file']],
  ['../outside.txt:1 has "anything at all"', ['no_file']],
  ['link.txt:1 has "root:x:0:0"', ['no_file']],
  ['notes.md says "it"', []],
  ['no quotes here', []],
])('%j', async (text, states) => {
  const dir = scratchWith(files)
  symlinkSync('/etc/passwd', join(dir, 'link.txt'))
  const { quotes: verdicts } = await checkQuotes(dir, text, isOpen)
  expect(verdicts.map(({ state }) => state)).toEqual(states)
  for (const { state, sha256 } of verdicts) expect(sha256 !== undefined).toBe(state !== 'no_file')
})

it('ends in time for a text of quote marks', async () => {
  const dir = scratchWith(files)
  const text = `${'"a'.repeat(20_000)} notes.md`
  expect((await checkQuotes(dir, text, isOpen)).quotes.length).toBeLessThanOrEqual(200)
})

it.each([
  ['notes.md says "it" and “a” and «to» and "The timeout"', 1, 3, 0],
  ['> ok\n\nnotes.md:3 has\n\n```\nx\n```\n', 0, 2, 0],
  [`notes.md says "${'The timeout is thirty seconds. '.repeat(100)}"`, 1, 0, 0],
  [`notes.md says ${'"The timeout", '.repeat(203)}`, 200, 0, 3],
  ['no quotes here', 0, 0, 0],
])('counts each quote of %j', async (text, compared, short, beyond) => {
  const checked = await checkQuotes(scratchWith(files), text, isOpen)
  expect([checked.quotes.length, checked.short, checked.beyond]).toEqual([compared, short, beyond])
})

it.each([['“'], ['«'], ['"'], ['```\n'], ['>']])('ends in time for a text of %j', async (mark) => {
  const text = `${`${mark}a`.repeat(20_000)} notes.md`
  expect((await checkQuotes(scratchWith(files), text, isOpen)).quotes.length).toBeLessThanOrEqual(200)
})
