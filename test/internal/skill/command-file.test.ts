// Command files: which files count, what they are called, and how their input is filled in.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillInput, findCommandFiles, parseCommand } from '../../../internal/skill/command-file.ts'
import { scratchWith } from '../../support/scratch.ts'

it('finds Markdown files three directories deep, without links and hidden ones', () => {
  const dir = scratchWith({
    'fix.md': 'Fix it.',
    'git/commit.md': 'Commit.',
    'a/b/c.md': 'x',
    'a/b/c/d.md': 'x',
    '.hidden.md': 'x',
    'README.md': 'x',
    'notes.txt': 'x',
  })
  symlinkSync('/etc/hostname', join(dir, 'link.md'))
  expect(findCommandFiles(dir, expect.fail)).toEqual(['a/b/c.md', 'fix.md', 'git/commit.md'])
})

it.each([
  [
    'fix.md',
    '---\ndescription: Fix: now\nallowed-tools: Bash(git:*)\n---\nDo $1.',
    'fix',
    'Fix: now',
    'Do $1.',
  ],
  ['git/commit.md', '\n# Commit\nNow.', 'git-commit', 'Commit', '# Commit\nNow.'],
  ['a.md', 'Only one line', 'a', 'Only one line', 'Only one line'],
])('%s', async (path, text, name, description, body) => {
  const dir = scratchWith({ [path]: text })
  expect(await parseCommand(dir, path, 'workspace')).toMatchObject({
    name,
    description,
    body,
    command: join(dir, path),
  })
})

it.each([
  ['ä b.md', 'x', /is not a name for a command/],
  ['empty.md', '\n', /no text/],
  ['broken.md', '---\na: [\n---\nx', /not valid YAML/],
])('rejects %s', async (path, text, message) => {
  await expect(parseCommand(scratchWith({ [path]: text }), path, 'user')).rejects.toThrow(message)
})

it.each([
  ['Fix $ARGUMENTS now', 'issue 7', true, 'Fix issue 7 now'],
  ['Fix $1 as $2, $3.', '"one two" \'three\'', true, 'Fix one two as three, .'],
  ['Cost $10, $1', 'a', true, 'Cost $10, a'],
  ['awk $1', 'a', false, 'awk $1\n\nInput: a'],
  ['Fix $ARGUMENTS', undefined, true, 'Fix (no input was given)'],
  ['Fix', 'a b', true, 'Fix\n\nInput: a b'],
  ['$INPUT and $ARGUMENTS', '$1 $&', false, '$1 $& and $1 $&'],
])('fills %j with %j', (body, input, isCommand, filled) => {
  expect(fillInput(body, input, isCommand)).toBe(filled)
})

it.each([
  ['Do $INPUT, then $INPUT.', 'a $& b', 'Do a $& b, then a $& b.'],
  ['Do $INPUT.', undefined, 'Do (no input was given).'],
  ['Do $INPUT.', '  ', 'Do (no input was given).'],
  ['Do it.', 'src', 'Do it.\n\nInput: src'],
  ['Do it.', undefined, 'Do it.'],
  ['Not $INPUTS or $INPUT_FILE.', undefined, 'Not $INPUTS or $INPUT_FILE.'],
])('fill %j with %j', (body, input, expected) => {
  expect(fillInput(body, input)).toBe(expected)
})
