// grep: text and data, limits with counts, secrets, refusals.
import { expect, test } from 'vitest'
import { grep } from '../../../../internal/tools/search/grep.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const dir = plant({
  'a.ts': 'const foo = 1\nlet Foo = 2\nfoobar\r\n',
  'src/b.go': 'one\ntwo foo\nthree\n',
  'src/c.go': 'x\nfoo\n',
  'many.txt': 'foo\n'.repeat(60),
  '.env': 'foo=secret\n',
  'deploy.pem': 'foo\n',
  '.hidden/a': 'foo\n',
  'ignored/a': 'foo\n',
  '.gitignore': 'ignored/\n',
  'image.bin': 'foo\0foo\n',
  'esc.txt': 'foo \x1b[31mred\n',
})
const ctx = ctxWith({ processes: { run } }, { cwd: dir })
const search = (args: Record<string, unknown>) => call(grep, args, ctx)
const paths = async (args: Record<string, unknown>) =>
  (await search(args)).data?.matches.map((match) => `${match.path}:${match.line}`)

test('returns matches as text and as data', async () => {
  const { text, data } = await search({ pattern: 'foo', glob: '*.ts' })
  expect(text).toBe('a.ts:1:const foo = 1\na.ts:2:let Foo = 2\na.ts:3:foobar')
  expect(data).toMatchObject({
    engine: 'ripgrep',
    path: '.',
    files: 1,
    truncated: false,
    left_out: { files: 0, matches: 0 },
    capped: [],
    skipped: 0,
  })
  expect(data?.matches[0]).toEqual({ path: 'a.ts', line: 1, column: 7, text: 'const foo = 1' })
})

test.each([
  [{ pattern: 'Foo', case_sensitive: true }, ['a.ts:2']],
  [{ pattern: 'foo', word_match: true, glob: '*.ts' }, ['a.ts:1', 'a.ts:2']],
  [{ pattern: 'o{2}b', regex: true }, ['a.ts:3']],
  [{ pattern: 'bar$', regex: true }, ['a.ts:3']],
  [{ pattern: 'o{2}b' }, []],
  [{ pattern: 'foo', path: 'src' }, ['src/b.go:2', 'src/c.go:2']],
  [{ pattern: 'foo', path: 'src', glob: 'b*' }, ['src/b.go:2']],
  [{ pattern: 'foo', glob: 'src/*.go' }, ['src/b.go:2', 'src/c.go:2']],
  [{ pattern: 'foo', glob: '!*.{go,txt}' }, ['a.ts:1', 'a.ts:2', 'a.ts:3']],
  [{ pattern: 'foo', path: 'src/b.go' }, ['src/b.go:2']],
  [{ pattern: 'foo', path: 'ignored' }, ['ignored/a:1']],
  [{ pattern: 'foo', path: '.hidden' }, ['.hidden/a:1']],
  [{ pattern: 'foo', path: '.env' }, ['.env:1']],
])('%j', async (args, expected) => {
  expect(await paths(args)).toEqual(expected)
})

const hiddenDir = plant({
  '.github/workflows/deploy.yml': 'run: orchid\n',
  '.github/.inner/x.yml': 'run: orchid\n',
  'src/.config/y.ts': 'orchid\n',
  'src/z.ts': 'lily\n',
  '.env': 'orchid=1\n',
})

test.each([
  [{ pattern: 'orchid' }, [], /3 hidden files with a match skipped, such as \.github\/\.inner\/x\.yml/],
  [{ pattern: 'lily' }, ['src/z.ts'], undefined],
  [
    { pattern: 'orchid', path: 'src' },
    [],
    /1 hidden file with a match skipped, such as src\/\.config\/y\.ts/,
  ],
  [
    { pattern: 'orchid', glob: '.github/**' },
    ['.github/.inner/x.yml', '.github/workflows/deploy.yml'],
    undefined,
  ],
  [{ pattern: 'orchid', glob: '.github/workflows/*.yml' }, ['.github/workflows/deploy.yml'], undefined],
  [{ pattern: 'orchid', glob: '**/.config/*' }, ['src/.config/y.ts'], undefined],
  [
    { pattern: 'orchid', glob: '{.github,src}/**/*.yml' },
    ['.github/.inner/x.yml', '.github/workflows/deploy.yml'],
    undefined,
  ],
  [
    { pattern: 'orchid', path: '.github' },
    ['.github/.inner/x.yml', '.github/workflows/deploy.yml'],
    undefined,
  ],
  [{ pattern: 'orchid', path: 'src/.config' }, ['src/.config/y.ts'], undefined],
  [{ pattern: 'orchid', glob: '!.github/**' }, [], /1 hidden file/],
  [{ pattern: 'orchid', glob: 'app/[id]/*.ts' }, [], /set of characters/],
])('hidden files: %j', async (args, expected, note) => {
  const { data, text } = await call(grep, args, ctxWith({ processes: { run } }, { cwd: hiddenDir }))
  expect(data?.matches.map(({ path }) => path)).toEqual(expected)
  if (note) expect(text).toMatch(note)
  else expect(text).not.toMatch(/hidden/)
})

test.each([
  ['foo|absent', ['a.ts:1']],
  ['foo\\|absent', ['a.ts:1']],
  ['let\\s+F', ['a.ts:2']],
  ['^foob', ['a.ts:3']],
  ['fo.*bar', ['a.ts:3']],
])('the literal %s that finds nothing is searched as an expression', async (pattern, expected) => {
  const { data, text } = await search({ pattern, glob: '*.ts', max_matches: 1, case_sensitive: true })
  expect(data?.matches.map((match) => `${match.path}:${match.line}`)).toEqual(expected)
  expect(text).toContain('[no line has this text; these lines match it as a regular expression')
})

test.each(['absent(|', 'absent|none'])('%s, found in neither way, is not a failure', async (pattern) => {
  expect((await search({ pattern })).text).toMatch(/^no line matches/)
})

test('shows context lines', async () => {
  const { text, data } = await search({ pattern: 'two', context: 1 })
  expect(text).toMatch(/^src\/b\.go-1-one\nsrc\/b\.go:2:two foo\nsrc\/b\.go-3-three\n/)
  expect(data?.matches[0]).toMatchObject({
    before: [{ line: 1, text: 'one' }],
    after: [{ line: 3, text: 'three' }],
  })
})

test('shows fifty lines per file by default, and counts the rest', async () => {
  const { text, data } = await search({ pattern: 'foo', path: 'many.txt' })
  expect(data?.matches).toHaveLength(50)
  expect(data?.capped).toEqual([{ path: 'many.txt', matches: 60 }])
  expect(text).toContain('[many.txt: 50 of 60 matching lines; raise max_matches for the rest]')
  expect((await search({ pattern: 'foo', path: 'many.txt', max_matches: 60 })).data?.capped).toEqual([])
})

test('skips and reports secrets, and never opens them', async () => {
  const { text, data } = await search({ pattern: 'foo' })
  expect(data?.matches.map((match) => match.path)).not.toContain('.env')
  expect(data?.skipped).toBe(2)
  expect(text).toContain('[2 files and folders with sensitive names skipped; name one as path to search it]')
  // the count does not depend on the contents of the secrets
  expect((await search({ pattern: 'not in there' })).data?.skipped).toBe(2)
})

test('cuts more than 256 KiB at the end of the order and counts it', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`f${1_000 + i}.txt`, `${'foo '.repeat(20)}\n`.repeat(20)]),
  )
  const big = ctxWith({ processes: { run } }, { cwd: plant(files) })
  const first = await call(grep, { pattern: 'foo' }, big)
  expect(first.data?.truncated).toBe(true)
  expect((first.data?.matches.length ?? 0) + (first.data?.left_out.matches ?? 0)).toBe(8_000)
  expect((first.data?.files ?? 0) + (first.data?.left_out.files ?? 0)).toBe(400)
  expect(first.data?.matches[0]?.path).toBe('f1000.txt')
  expect(Buffer.byteLength(first.text)).toBeLessThan(257 * 1024)
  expect(first.text).toMatch(/\[256 KiB shown; [\d,]+ matching lines in \d+ more files left out/)
  expect((await call(grep, { pattern: 'foo' }, big)).text).toBe(first.text)
})

test('escapes control characters', async () => {
  expect((await search({ pattern: 'red' })).text).toContain('esc.txt:1:foo \\x1b[31mred')
})

test.each([
  ['a\\d+', true],
  ['^foo', true],
  ['foo$', true],
  ['fo.*bar', true],
  ['[a-z]+x', true],
  ['foo|absent', true],
  ['\\bfoo\\b', true],
  ['absent(1)', false],
  ['absent[0]', false],
  ['a || b', false],
  ['absent.', false],
  ['foo\\|absent', true],
  ['key[A-Z]', true],
])('%j found nowhere: %j that it was also searched as an expression', async (pattern, isTried) => {
  const { text } = await search({ pattern, glob: '*.nosuch' })
  expect(text.includes('neither as text nor as a regular expression')).toBe(isTried)
  expect((await search({ pattern: '^zzzz', regex: true })).text).not.toContain('neither')
})

test('reports that no line matches, or that the file is binary', async () => {
  expect((await search({ pattern: 'absent', path: 'src' })).text).toBe('no line matches "absent" in src')
  expect((await search({ pattern: 'foo', path: 'image.bin' })).text).toBe(
    'image.bin is binary; nothing in it is shown',
  )
})

test.each([
  [{ pattern: '(x', regex: true }, 'bad_args'],
  [{ pattern: 'a\0b' }, 'bad_args'],
  [{ pattern: 'x', glob: '{a' }, 'bad_args'],
  [{ pattern: 'x', path: '../x' }, 'outside_workspace'],
  [{ pattern: 'x', path: 'nowhere' }, 'not_found'],
])('%j fails with %s', async (args, code) => {
  const result = await search(args).catch((error) => error)
  expect((result.failed ?? result.failure).code).toBe(code)
})

test('is not offered without a process runner', () => {
  expect(grep.available?.(ctxWith())).toContain('no programs')
  expect(grep.available?.(ctx)).toBe(true)
})

test('a canceled search is not a success', async () => {
  const stopped = ctxWith({ processes: { run } }, { cwd: dir, signal: AbortSignal.abort() })
  expect((await call(grep, { pattern: 'foo' }, stopped)).failed?.code).toBe('cancelled')
})

const window = (args: Record<string, unknown>) => call(grep, args, ctx, 'adapter')

test('a window of all results shows its position and the total', async () => {
  const page = await window({ pattern: 'foo', limit: 3, offset: 2 })
  expect(page.text).toBe(
    'a.ts:3:foobar\nesc.txt:1:foo \\x1b[31mred\nmany.txt:1:foo\n' +
      '[1 hidden file with a match skipped, such as .hidden/a; ' +
      'to search hidden files, name one in path or glob]\n[2 files and folders with sensitive names skipped; name one as path to search it]\n[3-5 of 66]',
  )
  expect(page.data).toMatchObject({ total: 66, shown: 3, offset: 2, truncated: true })
  expect((await window({ pattern: 'foo', limit: 3, offset: 99 })).text).toMatch(/\[none from 100 on of 66\]$/)
  expect((await window({ pattern: 'absent', limit: 3 })).text).toMatch(/^no line matches "absent"/)
})

test.each([
  ['files', { output: 'files' }, 'a.ts\nesc.txt\nmany.txt\nsrc/b.go\nsrc/c.go'],
  ['counts', { output: 'count', exclude: ['*.txt'] }, 'a.ts:3\nsrc/b.go:1\nsrc/c.go:1'],
  ['a folder left out', { output: 'files', exclude: ['src/'] }, 'a.ts\nesc.txt\nmany.txt'],
  ['a type', { output: 'files', type: 'go' }, 'src/b.go\nsrc/c.go'],
  ['ignored files too', { output: 'files', ignored: true, exclude: ['*.*'] }, 'ignored/a'],
])('%s', async (_, args, expected) => {
  const { raw, data } = await window({ pattern: 'foo', ...args })
  expect(raw?.content).toBe(expected)
  expect(data?.total).toBe(expected.split('\n').length)
})

test('separates the lines before and after a match', async () => {
  const { text, data } = await window({
    pattern: 'foo',
    path: 'src',
    glob: 'b*',
    before: 1,
    after: 0,
    limit: 9,
  })
  expect(text).toBe('src/b.go-1-one\nsrc/b.go:2:two foo\n[1-1 of 1]')
  expect(data?.matches[0]).toMatchObject({ before: [{ line: 1, text: 'one' }], after: [] })
  expect((await window({ pattern: 'foo', path: 'src', glob: 'b*', after: 1 })).text).toBe(
    'src/b.go:2:two foo\nsrc/b.go-3-three',
  )
})

test('a match can span lines', async () => {
  const { text } = await window({
    pattern: 'one.*three',
    regex: true,
    multiline: true,
    path: 'src',
    limit: 9,
  })
  expect(text).toContain('src/b.go:1:one\nsrc/b.go:2:two foo\nsrc/b.go:3:three')
})

test('cuts characters at whole lines, and counts the searched files', async () => {
  const { text, data } = await window({ pattern: 'foo', glob: '*.ts', max_chars: 25, count_files: true })
  expect(text).toBe('a.ts:1:const foo = 1\n[1-3 of 3; cut at 25 characters]')
  expect(data).toMatchObject({ files_scanned: 1, shown: 1 })
})

test('an unknown type is an invalid argument', async () => {
  expect(
    (await window({ pattern: 'x', type: 'nonsense' }).catch((e) => ({ failed: e.failure }))).failed?.code,
  ).toBe('bad_args')
  await expect(search({ pattern: 'x', count_files: true })).rejects.toThrow(/unknown parameter count_files/)
})
