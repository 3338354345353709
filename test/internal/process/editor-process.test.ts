// The external editor: it gets the text, and a missing editor causes no error.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runNoticeProgram } from '../../../internal/process/editor-process.ts'
import { scratchWith } from '../../support/scratch.ts'

test('passes the text as the last argument', async () => {
  const folder = scratchWith({})
  const env = { PATH: process.env.PATH }
  runNoticeProgram([join(folder, 'none')], 'nobody hears', env)
  const file = join(folder, 'said')
  runNoticeProgram(['/bin/sh', '-c', 'printf "%s|%s" "$1" "$2" > "$0"', file, 'title'], 'is $(done)', env)
  await vi.waitFor(
    () => expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('title|is $(done)'),
    10_000,
  )
})

test.each([
  ['a NUL byte', 'one\0two'],
  ['a text that is too long for an argument', 'x'.repeat(3_000_000)],
])('ignores a notice with %s, and shows the next one', async (_, text) => {
  const file = join(scratchWith({}), 'said')
  const program = ['/bin/sh', '-c', 'printf %s "$1" > "$0"', file]
  const env = { PATH: process.env.PATH }
  runNoticeProgram(program, text, env)
  runNoticeProgram(program, 'next', env)
  await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('next'), 10_000)
})
