// glob: matches, limits, hints, jail.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { glob } from '../../../../internal/tools/search/glob.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { run } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const dir = plant({
  'a.go': '',
  'src/b.go': '',
  'src/b_test.go': '',
  'src/deep/c.go': '',
  'src/x.ts': '',
  'out/d.go': '',
  '.gitignore': 'out/\n',
  '.github/ci.yml': '',
  'we\nird\x1b[31m.md': '',
  'app/[slug]/page.tsx': '',
  '-dash.md': '',
})
const ctx = ctxWith({ processes: { run } }, { cwd: dir })
const find = (args: Record<string, unknown>) => call(glob, args, ctx)

test.each([
  ['**/*.go', '.', ['a.go', 'src/b.go', 'src/b_test.go', 'src/deep/c.go']],
  ['*.go', '.', ['a.go']],
  ['./*.go', '.', ['a.go']],
  ['*.go', 'src', ['src/b.go', 'src/b_test.go']],
  ['src/**', '.', ['src/b.go', 'src/b_test.go', 'src/deep/c.go', 'src/x.ts']],
  ['{src,app}/**/*.ts*', '.', ['app/[slug]/page.tsx', 'src/x.ts']],
  ['app/\\[slug]/*', '.', ['app/[slug]/page.tsx']],
  [`${dir}/src/*.ts`, '.', ['src/x.ts']],
  ['../*.go', 'src', ['a.go']],
  ['-*', '.', ['-dash.md']],
  ['!**/*.go', 'src', ['src/x.ts']],
  ['d.go', 'out', ['out/d.go']],
])('%s in %s', async (pattern, path, matches) => {
  const { data, text, failed } = await find({ pattern, path })
  expect(failed).toBeUndefined()
  expect(data).toMatchObject({ engine: 'ripgrep', matches, total: matches.length, truncated: false })
  expect(text).toBe(matches.join('\n'))
})

test('a limit returns the first matches in order and the total', async () => {
  const { data, text } = await find({ pattern: '**/*.go', limit: 2 })
  expect(data).toMatchObject({ matches: ['a.go', 'src/b.go'], total: 4, truncated: true })
  expect(text).toBe('a.go\nsrc/b.go\n[2 of 4 matches, the first in order; raise limit or narrow the pattern]')
})

test('lists dot entries only on request, and .git never', async () => {
  const all = await find({ pattern: '**', include_hidden: true })
  expect(all.data?.matches).toContain('.github/ci.yml')
  expect(all.data?.matches.some((name) => name.startsWith('.git/'))).toBe(false)
  const none = await find({ pattern: '.github/*' })
  expect(none.data?.total).toBe(0)
  expect(none.text).toContain('set include_hidden')
})

test('escapes line ends and control characters in names', async () => {
  const { data, text } = await find({ pattern: 'we*' })
  expect(data?.matches).toEqual(['we\nird\x1b[31m.md'])
  expect(text).toBe('we\\x0aird\\x1b[31m.md')
})

test.each([
  ['c.go', '1 match further down: use **/c.go'],
  ['app/[slug]/*', 'write \\[ for a bracket'],
  ['nothing', 'no file matches nothing'],
])('%s finds nothing and says what to try', async (pattern, hint) => {
  const { text, failed } = await find({ pattern })
  expect(failed).toBeUndefined()
  expect(text).toContain(hint)
})

test.each([
  [{ pattern: '[a' }, 'bad_args'],
  [{ pattern: '*/../x' }, 'bad_args'],
  [{ pattern: '*', path: 'a.go' }, 'not_a_directory'],
  [{ pattern: '*', path: 'nowhere' }, 'not_found'],
  [{ pattern: '*', path: '..' }, 'outside_workspace'],
  [{ pattern: '../../*' }, 'outside_workspace'],
  [{ pattern: '/etc/*' }, 'outside_workspace'],
])('%j fails with %s', async (args, code) => {
  expect((await find(args)).failed?.code).toBe(code)
})

test('passes the directory that it reads to the rules', () => {
  const scope = (pattern: string, path: string) =>
    accessOf(glob, { pattern, path, limit: 50, include_hidden: false }).scope
  expect(scope('**/*.go', 'src')).toEqual([{ kind: 'path', path: 'src', access: 'read' }])
  expect(scope('/etc/*', '.')).toEqual([{ kind: 'path', path: '/etc', access: 'read' }])
})

test('walks the tree itself without a process runner', async () => {
  const { data } = await call(glob, { pattern: '**/*.go' }, ctxWith({}, { cwd: dir }))
  expect(data).toMatchObject({ engine: 'walk', total: 4 })
})

test('a canceled search is not a success', async () => {
  const stopped = ctxWith({ processes: { run } }, { cwd: dir, signal: AbortSignal.abort() })
  expect((await call(glob, { pattern: '**' }, stopped)).failed?.code).toBe('cancelled')
})

test('shows the whole path of matches in an added directory', async () => {
  const other = plant({ 'x.go': '' })
  const policy = { ...ctx.policy, roots: { workspace: dir, added: [other], protected: [] } }
  const { data } = await call(
    glob,
    { pattern: '*.go', path: other },
    ctxWith({ processes: { run } }, { cwd: dir, policy }),
  )
  expect(data?.matches).toEqual([join(other, 'x.go')])
})

test.each([
  [
    'names at any depth',
    { pattern: '*.go', anywhere: true },
    ['a.go', 'src/b.go', 'src/b_test.go', 'src/deep/c.go'],
  ],
  ['a path under anywhere', { pattern: 'src/*.go', anywhere: true }, ['src/b.go', 'src/b_test.go']],
  ['what is ignored', { pattern: '**/d.go', ignored: true }, ['out/d.go']],
  ['what is left out', { pattern: '**/*.go', exclude: ['src/deep', '*_test.go'] }, ['a.go', 'src/b.go']],
  ['from an offset', { pattern: '**/*.go', offset: 1, limit: 2 }, ['src/b.go', 'src/b_test.go']],
  ['folders too', { pattern: '**/*s*', directories: true, exclude: ['*.*'] }, ['app/[slug]', 'src']],
  ['ignored folders', { pattern: 'o*', directories: true, ignored: true }, ['out']],
])('a face may ask for %s', async (_, args, matches) => {
  const { data, failed } = await call(glob, args, ctx, 'adapter')
  expect(failed).toBeUndefined()
  expect(data?.matches).toEqual(matches)
})

test('an offset reports the total number of matches', async () => {
  const { text } = await call(glob, { pattern: '**/*.go', offset: 1, limit: 2 }, ctx, 'adapter')
  expect(text).toContain('[2 of 4 matches, after the first 1; raise limit')
})
