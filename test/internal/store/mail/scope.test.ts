// Scopes of mailbox names.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isStudyScope, resolveMailboxScope } from '../../../../internal/store/mail/scope.ts'

test('prefers the requested scope, then the environment, the repository, and the directory', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-scope-')))
  try {
    mkdirSync(join(dir, 'sub'))
    expect(resolveMailboxScope(undefined, {}, join(dir, 'sub'))).toBe(join(dir, 'sub'))
    execFileSync('git', ['init', '-q'], { cwd: dir })
    expect(resolveMailboxScope(undefined, {}, join(dir, 'sub'))).toBe(join(dir, '.git'))
    const env = { ANODE_MAILBOX_SCOPE: 'study:01JD' }
    expect(resolveMailboxScope(undefined, env, dir)).toBe('study:01JD')
    expect(resolveMailboxScope('mine', env, dir)).toBe('mine')
    expect(resolveMailboxScope('', { ANODE_MAILBOX_SCOPE: '' }, dir)).toBe(join(dir, '.git'))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test.each([
  ['study:01JD', true],
  ['/home/me/study:x', false],
  ['study', false],
])('the scope %s belongs to a study: %s', (scope, is) => {
  expect(isStudyScope(scope)).toBe(is)
})
