// Diffs that are written: git accepts them and gets from the one text to the other.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffTexts } from '../../../internal/patch/diff.ts'
import { scratchWith } from '../../support/scratch.ts'

const long = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('')

describe('diffTexts', () => {
  it.each<[string, string, string]>([
    ['one line', 'a\nb\nc\n', 'a\nX\nc\n'],
    ['no last line end', 'a\nb', 'a\nc'],
    ['last line end added', 'a', 'a\n'],
    ['CRLF', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    ['line ends changed', 'a\r\nb\r\n', 'a\nb\n'],
    ['emptied', 'a\n', ''],
    ['filled', '', 'a\nb\n'],
    ['far apart', long, long.replace('line 3\n', 'x\n').replace('line 30\n', '')],
    ['close together', long, long.replace('line 3\n', 'x\n').replace('line 9\n', 'y\nz\n')],
    ['all different', long, long.replaceAll('line', 'row')],
    ['repeated lines', 'a\n'.repeat(9), 'a\n'.repeat(5)],
    ['blank lines', '\n\n\na\n', '\n\na\n\n'],
  ])('%s', async (_, old, fresh) => {
    const dir = scratchWith({ 'with space "q"': old })
    const { text } = await diffTexts('with space "q"', old, fresh)
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
      cwd: dir,
      input: text,
      env: { PATH: process.env.PATH },
    })
    expect(readFileSync(join(dir, 'with space "q"'), 'utf8')).toBe(fresh)
  })

  it('counts added and removed lines, and is empty for equal texts', async () => {
    expect(await diffTexts('f', 'a\nb\n', 'a\nc\nd\n')).toMatchObject({ added: 2, removed: 1 })
    expect(await diffTexts('f', 'a\n', 'a\n')).toEqual({ text: '', added: 0, removed: 0 })
    expect((await diffTexts('f', null, 'a\n')).text).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n')
    expect((await diffTexts('f', 'a\n', null)).text).toBe('--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')
  })

  it('finds a thousand scattered changes, and replaces texts that have nothing in common', async () => {
    const some = (word: string) => Array.from({ length: 8000 }, (_, i) => `${word} ${i}\n`)
    const whole = await diffTexts('f', some('a').join(''), some('b').join(''))
    expect([whole.added, whole.removed]).toEqual([8000, 8000])
    const scattered = some('a').map((line, i) => (i % 8 === 0 ? `x${line}` : line))
    const many = await diffTexts('f', some('a').join(''), scattered.join(''))
    expect([many.added, many.removed]).toEqual([1000, 1000])
    const moved = [...some('a').slice(500), ...some('c').slice(0, 300), ...some('a').slice(0, 500)]
    const { text } = await diffTexts('f', some('a').join(''), moved.join(''))
    const dir = scratchWith({ f: some('a').join('') })
    execFileSync('git', ['apply', '-'], { cwd: dir, input: text, env: { PATH: process.env.PATH } })
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe(moved.join(''))
  })
})
