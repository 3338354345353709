// Path globs, compared with bash and with the globs of searches, and rejected globs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOfText } from '../../../../../internal/base/text/byte-name.ts'
import { escapeGlob, readGlob } from '../../../../../internal/base/text/glob/glob-grammar.ts'
import { pathFits } from '../../../../../internal/policy/rules/rule-match.ts'
import { compileGlob } from '../../../../../internal/search/glob/glob.ts'
import { choice, rng } from '../../../../support/rng.ts'
import { rounds } from '../../../../support/sample.ts'

const random = rng(Number(process.env.ANODE_SEED ?? 27))

const pieces = [
  ...[
    'a',
    'b',
    'ab',
    '*',
    '**',
    '?',
    '[ab]',
    '[!a]',
    '[^a]',
    '[a-c]',
    '[!a-c]',
    '[]a]',
    '[!]a]',
    '[a-]',
    '[-a]',
  ],
  ...[
    '[\\]a]',
    '.',
    '-',
    'é',
    '\\*',
    '\\[',
    '\\!',
    '(',
    ')',
    '(a)',
    '"',
    "'",
    '$',
    '+',
    '^',
    '#',
    '~',
    '|',
    '@',
    ',',
  ],
]
const several = (most: number) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => choice(random, pieces)).join('')
const fits = (pattern: string, path: string) => {
  try {
    return pathFits(pattern, path, false)
  } catch {
    return undefined
  }
}

test('matches a single path component like bash', () => {
  const names = [
    ...[
      'a',
      'b',
      'c',
      'ab',
      'ba',
      'aa',
      '.a',
      'a.b',
      '*',
      '?',
      '[',
      ']',
      'a-b',
      '-',
      'é',
      'aab',
      '(',
      ')',
      '(a)',
    ],
    ...[
      '"',
      "'",
      '$',
      '+',
      '^',
      '#',
      '~',
      '|',
      '@',
      '!',
      ',',
      'ab.c',
      'b.a',
      '$a',
      'a+',
      '!a',
      'aéb',
      '[ab]',
    ],
  ]
  const patterns = Array.from({ length: rounds(1_000, 20_000) }, () => several(4))
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const script = [
    'shopt -s globasciiranges',
    `names=(${names.map(quote).join(' ')})`,
    ...patterns.map(
      (pattern) =>
        `p=${quote(pattern)}; o=; for n in "${'$'}{names[@]}"; do if [[ $n == $p ]]; then o+=1; else o+=0; fi; done; echo $o`,
    ),
  ].join('\n')
  const { stdout } = spawnSync('bash', ['--norc'], {
    input: script,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  const shell = stdout.trim().split('\n')
  let compared = 0
  for (const [i, pattern] of patterns.entries()) {
    if (fits(pattern, 'a') === undefined) continue
    compared++
    // a name that is the pattern itself always fits
    const own = names
      .map((name, at) => (name === pattern ? shell[i]?.[at] : fits(pattern, name) ? '1' : '0'))
      .join('')
    expect(own, pattern).toBe(shell[i])
  }
  expect(compared).toBeGreaterThan(patterns.length / 2)
})

const files = [
  ...[
    'a',
    'b',
    '.a',
    'a.ts',
    'ab/a',
    'ab/b.ts',
    'ab/.h/x',
    'b/b/a',
    'b/b/c/a',
    '(a)/x',
    '[a]/x',
    'é/a',
    'b/!a',
    '$a/b',
  ],
]
const folders = [...new Set(files.flatMap((file) => [file.split('/')[0] ?? '', dirname(file)]))]
const paths = [...new Set([...files, ...folders])].filter((path) => path !== '.')

test('finds the same paths as bash in a real directory', () => {
  const dir = mkdtempSync(join(tmpdir(), 'anode-glob-'))
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    if (!paths.some((other) => other.startsWith(`${file}/`))) writeFileSync(join(dir, file), '')
  }
  const plain = pieces.filter((piece) => !/["'$~()|#^+@,]|^[.]$/.test(piece))
  const part = () =>
    Array.from({ length: 1 + Math.floor(random() * 2) }, () => choice(random, plain)).join('')
  const patterns = Array.from({ length: rounds(300, 3_000) }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, part).join('/'),
  ).filter((pattern) => fits(pattern, 'a') !== undefined && !/^~|\{/.test(pattern))
  const script = `shopt -s globstar dotglob nullglob\n${patterns.map((one) => `printf '%s\\0' ${one}; echo`).join('\n')}`
  const { stdout } = spawnSync('bash', ['--norc'], {
    cwd: dir,
    input: script,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  rmSync(dir, { recursive: true })
  const clean = (name: string) => name.replace(/\/(?:\.\/|\/)+/g, '/').replace(/^(?:\.\/)+|\/$/g, '')
  const isFolderOf = (pattern: string, name: string) =>
    pattern.endsWith('/**') && fits(pattern.replace(/(?:\/\*\*)+$/, ''), name) && !fits(pattern, name)
  const lines = stdout.split('\n')
  expect(patterns.length).toBeGreaterThan(200)
  for (const [i, pattern] of patterns.entries()) {
    // without a special character the shell does not look whether there is such a file
    if (readGlob(pattern).literal !== undefined) continue
    const shell = new Set(
      (lines[i] ?? '')
        .split('\0')
        // a/** means what is below a, for bash also a itself
        .filter((name) => name !== '' && !isFolderOf(pattern, clean(name)))
        .map(clean)
        .filter((name) => paths.includes(name)),
    )
    const own = new Set(paths.filter((path) => fits(pattern, path)))
    expect([...own].sort(), pattern).toEqual([...shell].sort())
  }
})

test('searches and rules use the same grammar', () => {
  const joints = ['/', '/', '/', '//', '/**/', '']
  const braces = () =>
    choice(random, [several(2), several(2), `{${several(2)},${several(2)}}`, `x{${several(1)},}`])
  const patterns = Array.from(
    { length: rounds(2_000, 20_000) },
    () => braces() + choice(random, joints) + braces(),
  )
  let compared = 0
  for (const pattern of patterns) {
    // searches take a filter out with ! and keep ** within a name apart
    if (
      /^!/.test(pattern) ||
      fits(pattern, 'a') === undefined ||
      readGlob(pattern).paths.some(({ text: one }) => one === '.' || one.startsWith('/'))
    )
      continue
    const search = compileGlob(pattern)
    compared++
    for (const path of paths.filter((one) => one !== pattern))
      expect(fits(pattern, path), `${pattern} on ${path}`).toBe(search.test(bytesOfText(path)))
  }
  expect(compared).toBeGreaterThan(patterns.length / 3)
})

const unreadable = [
  '[',
  'a[',
  '[a',
  '[!',
  '[]',
  '[^]',
  '[a-',
  '[b-a]',
  '[a/b]',
  '{',
  '{a',
  'a,b}',
  '{a}',
  '{a..c}',
  '{}',
  '{a,{b}',
]
const odd = [
  '[[:alpha:]]',
  '[[=a=]]',
  '!a',
  '!a/**',
  '@(a|b)',
  '!(a)',
  '?(a)',
  '*(a)',
  '+(a)',
  'a\\',
  '..',
  '../a',
  'a/../b',
  '',
]
test.each([...unreadable, ...odd])('rejects %j', (pattern) =>
  expect(() => readGlob(pattern)).toThrow(SyntaxError),
)

test('all places reject the same globs', () => {
  let count = 0
  for (const bad of unreadable.filter((one) => !/^\[\]|\^|!/.test(one)))
    for (const before of ['', 'a', 'src/', '**/', '{x,y}/', '[ab]', '\\*'])
      for (const after of ['', 'b', '/x']) {
        // what closes a class later than it was meant makes another pattern
        if (after !== '' && /^\[a?$|^a\[$|^\[a-$/.test(bad)) continue
        count++
        expect(() => readGlob(before + bad + after), before + bad + after).toThrow(SyntaxError)
      }
  expect(count).toBeGreaterThan(200)
})

test.each([
  ['secret/[!a]*', 'secret/bfile', true],
  ['secret/[!a]*', 'secret/afile', false],
  ['secret/[^a]*', 'secret/bfile', true],
  ['a//b', 'a/b', true],
  ['./a/./b', 'a/b', true],
  ['a/', 'a/b/c', true],
  ['a/', 'a', false],
  ['a*/', 'ab/c', true],
  ['a[!b]c', 'a/c', false],
  ['(g)/x', '(g)/x', true],
  ['/etc/*', '/etc/x', true],
  ['.', '.', true],
])('%j on %j: %j', (pattern, path, wanted) => expect(pathFits(pattern, path, false)).toBe(wanted))

test('an escaped path matches only itself', () => {
  for (const path of ['a.ts', '[id]/(group)/*.ts', '{a,b}', 'a\\b', 'a|b?', '!x', '@(x)', "a'b", 'é$'])
    expect(readGlob(escapeGlob(path))).toMatchObject({ literal: path })
})
