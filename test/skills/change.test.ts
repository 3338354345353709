// code_review/scripts/change.sh shows a change and runs nothing that the repository configures.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, runScript, scratch } from '../support/script.ts'

const run = (cwd: string, ...args: string[]) => runScript('code_review/scripts/change.sh', args, cwd)

function repository() {
  const dir = scratch({ 'a.txt': 'one\n', 'package-lock.json': '{}\n' })
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'first')
  return dir
}

test('working tree: status, diff without lock files, untracked files', () => {
  const dir = repository()
  writeFileSync(join(dir, 'a.txt'), 'two\n')
  writeFileSync(join(dir, 'package-lock.json'), '{"x":1}\n')
  writeFileSync(join(dir, 'new ü.txt'), 'new\n')
  const { code, out } = run(dir)
  expect(code).toBe(0)
  expect(out).toContain('-one\n+two')
  expect(out).not.toContain('"x"')
  expect(out).toContain('## untracked files (not in the diff; read them)\nnew ü.txt')
})

test('against a base: commits and their diff', () => {
  const dir = repository()
  git(dir, 'checkout', '-qb', 'topic')
  writeFileSync(join(dir, 'a.txt'), 'topic\n')
  git(dir, 'commit', '-qam', 'second')
  const { out } = run(dir, 'main')
  expect(out).toMatch(/## commits since main[^\n]*\n[0-9a-f]+ second/)
  expect(out).toContain('-one\n+topic')
})

test('programs of the repository do not run', () => {
  const dir = repository()
  const trap = join(dir, 'trap.sh')
  writeFileSync(trap, '#!/bin/sh\ntouch ran\ncat\n', { mode: 0o755 })
  for (const key of ['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'diff.x.command'])
    git(dir, 'config', key, trap)
  writeFileSync(join(dir, '.gitattributes'), '*.txt diff=x\n')
  writeFileSync(join(dir, 'a.txt'), 'two\n')
  expect(run(dir).out).toContain('-one\n+two')
  expect(existsSync(join(dir, 'ran'))).toBe(false)
})

test('no commits yet, no repository, no such base', () => {
  const empty = scratch({ 'a.txt': 'one\n' })
  git(empty, 'init', '-q')
  git(empty, 'add', '.')
  expect(run(empty).out).toContain('+one')
  expect(run(scratch()).code).toBe(2)
  expect(run(repository(), 'nothing').code).not.toBe(0)
})
