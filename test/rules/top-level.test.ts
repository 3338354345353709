// The top level of the repository: only entries of one list.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from '../support/sources.ts'

/** A later entry is added here, with its reason in the commit. Directories that begin with a dot need none. */
const allowed = new Set([
  ...[
    'README.md',
    'cmd',
    'internal',
    'manual',
    'package.json',
    'profiles',
    'skills',
    'test',
    'tsconfig.json',
  ],
  ...['LICENSE', 'package-lock.json', 'biome.json', 'vitest.config.ts', 'CHANGELOG.md', 'action.yml'],
  ...['.gitignore', '.npmrc'],
])

it('has no entry outside the list', () => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const entries = new Set(
    files
      .map((file) => file.split('/').slice(0, 2))
      .map(([top = '', next]) => (next !== undefined && top.startsWith('.') ? '' : top)),
  )
  expect([...entries].filter((entry) => entry !== '' && !allowed.has(entry))).toEqual([])
})
