// The user's pager: real programs read the text, and a terminal without one gets it directly.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { showInPager } from '../../../../internal/service/desktop/pager.ts'
import { scratch } from '../../../support/scratch.ts'

const system = process.env.PATH ?? ''

/** Creates a directory with a program `less` that writes its arguments, LESS and the text to a file. */
function fakeLess(): { dir: string; bin: string; seen: string } {
  const dir = scratch()
  const bin = join(dir, 'bin')
  const seen = join(dir, 'seen')
  mkdirSync(bin)
  writeFileSync(join(bin, 'less'), `#!/bin/sh\necho "$* $LESS" > '${seen}'\ncat >> '${seen}'\n`)
  chmodSync(join(bin, 'less'), 0o755)
  return { dir, bin, seen }
}

test('$PAGER is a shell command that reads the text', async () => {
  const dir = scratch()
  const seen = join(dir, 'it is here')
  expect(await showInPager('one\ntwo\n', { PATH: system, PAGER: `cat > '${seen}'` }, dir)).toBe(true)
  expect(readFileSync(seen, 'utf8')).toBe('one\ntwo\n')
})

test('uses less -R by default if it is installed, with the settings of git', async () => {
  const { dir, bin, seen } = fakeLess()
  expect(await showInPager('text\n', { PATH: `${bin}:${system}` }, join(dir, 'work'))).toBe(true)
  expect(readFileSync(seen, 'utf8')).toBe('-R FRX\ntext\n')
  await showInPager('text\n', { PATH: `${bin}:${system}`, LESS: 'S' }, join(dir, 'work'))
  expect(readFileSync(seen, 'utf8')).toBe('-R S\ntext\n')
})

test('does not use a program `less` of the workspace', async () => {
  const { dir, bin, seen } = fakeLess()
  expect(await showInPager('text\n', { PATH: bin }, dir)).toBe(false)
  expect(existsSync(seen)).toBe(false)
})

test.each([
  ['PAGER is empty', { PAGER: '' }],
  ['PAGER is cat', { PAGER: 'cat' }],
  ['PAGER does not exist', { PAGER: 'no-such-pager-here 2>/dev/null' }],
  ['the terminal is dumb', { PAGER: 'cat >/dev/null', TERM: 'dumb' }],
  ['less is not installed', {}],
])('uses no pager if %s', async (_, env) => {
  expect(await showInPager('text\n', { PATH: 'PAGER' in env ? system : '/nowhere', ...env }, '/')).toBe(false)
})

test('accepts a pager that ends before it has read everything', async () => {
  const text = 'a line of text\n'.repeat(100_000)
  expect(await showInPager(text, { PATH: system, PAGER: 'true' }, '/')).toBe(true)
})

test('restores the listeners of Ctrl-C after the pager', async () => {
  const listener = () => undefined
  process.on('SIGINT', listener)
  try {
    const before = process.listeners('SIGINT')
    await showInPager('text\n', { PATH: system, PAGER: 'kill -INT $PPID; cat >/dev/null' }, '/')
    expect(process.listeners('SIGINT')).toEqual(before)
  } finally {
    process.removeListener('SIGINT', listener)
  }
})
