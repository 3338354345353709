// repo_summary/scripts/survey.sh counts what a summary begins with, in a repository and outside of one.
import { expect, test } from 'vitest'
import { git, runScript, scratch } from '../support/script.ts'

const files = {
  'package.json': '{}\n',
  'src/main.ts': 'a\nb\n',
  'src/deep/x.ts': 'a\n',
  'test/x.test.ts': 'a\n',
}
const run = (cwd: string) => runScript('repo_summary/scripts/survey.sh', [], cwd)

test('a repository', () => {
  const dir = scratch(files)
  git(dir, 'init', '-q')
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'first')
  const { code, out } = run(dir)
  expect(code).toBe(0)
  expect(out).toContain('## files: 4')
  expect(out).toMatch(/3 ts\n/)
  expect(out).toMatch(/manifests[^\n]*\npackage\.json/)
  expect(out).toMatch(/convention\nsrc\/main\.ts/)
  expect(out).toMatch(/2 src\/main\.ts/)
  expect(out).toContain('1 files by name')
  expect(out).toContain('commits 1, last 2026-03-01')
})

test('a plain folder and an empty one', () => {
  expect(run(scratch(files))).toMatchObject({ code: 0, out: expect.stringContaining('## files: 4') })
  expect(run(scratch())).toMatchObject({ code: 0, out: expect.stringContaining('## files: 0') })
})
