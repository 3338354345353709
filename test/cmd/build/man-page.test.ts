// The page for `man anode`: every command, and no line that man would read as its own command.
import { expect, test } from 'vitest'
import { makeManPage } from '../../../cmd/build/man-page.ts'

/** Returns the text that a reader of man(7) sees of an escaped line. */
const readBack = (line: string) => line.replace(/^\\&/, '').replaceAll('\\-', '-').replaceAll('\\e', '\\')

test.each([
  'plain words',
  '.dot first',
  "'quote first",
  'a \\ backslash and --flag',
  '  -C  DIR',
  '',
  '..',
  '\\fB bold',
])('shows the line %j as it is', (line) => {
  const page = makeManPage('1.2.3', `first\n${line}\nlast`, {})
  const lines = page.split('\n')
  const at = lines.indexOf('first')
  expect([readBack(lines[at + 1] as string), lines[at + 2]]).toEqual([line, 'last'])
  expect(lines[at + 1]).not.toMatch(/^[.']/)
})

test('has a section for every command, in order, without the session', () => {
  const page = makeManPage('1.2.3', 'root', { 'tools use': 'use it', execute: 'run it', '': 'session' })
  expect(page.match(/^\.SH .*$/gm)).toEqual([
    '.SH NAME',
    '.SH DESCRIPTION',
    '.SH ANODE EXECUTE',
    '.SH ANODE TOOLS USE',
    '.SH SEE ALSO',
  ])
  expect(page).toMatch(/^\.TH ANODE 1 "" "anode 1\.2\.3"$/m)
})
