// Random trees, patterns and queries for the comparisons of our search with ripgrep itself.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Chance = () => number

export const pick = <T>(next: Chance, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T

const folders = ['a', 'b', 'ab', 'src', 'a.b', '.hid', 'build', 'x y', 'é']
const stems = [
  'a',
  'ab',
  'foo',
  'Foo',
  'b-a',
  '.dot',
  '-dash',
  'we\nird',
  'naïve',
  'a:1:b',
  'esc\x1b[31m',
  '[x]',
  '{y}',
]
const extensions = ['.ts', '.go', '.TS', '.log', '.', '.test.ts']
const words = [
  'foo',
  'Foo',
  'FOO',
  'foobar',
  'bar',
  'a.b',
  'axb',
  '(x)',
  'é',
  'É',
  '--',
  '$1',
  'x',
  '\\d',
  'TODO',
]
const rules = [
  '*.log',
  'build/',
  '/a',
  'a/b',
  '!foo.log',
  '**/x y',
  'src/*.go',
  '!src/foo.go',
  'b/**/ab',
  '.hid',
  '# note',
  '*.t?',
  '[xy]*',
  'ab/',
]

/** Writes a random tree and returns how it was made: with `.git` or without. */
export function grow(dir: string, next: Chance): void {
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  const folder = () =>
    Array.from({ length: Math.floor(next() * 4) }, () => `${pick(next, folders)}/`).join('')
  const places = ['', ...Array.from({ length: 8 }, folder)]
  for (let i = 0; i < 40; i++)
    put(`${pick(next, places)}${pick(next, stems)}${pick(next, extensions)}`, content(next))
  for (const place of places) {
    for (const name of ['.gitignore', '.ignore']) {
      const count = next() < (place === '' ? 0.8 : 0.2) ? 1 + Math.floor(next() * 4) : 0
      if (count > 0) put(place + name, Array.from({ length: count }, () => pick(next, rules)).join('\n'))
    }
  }
  if (next() < 0.5) put('.git/HEAD', 'ref: refs/heads/main\n')
  if (next() < 0.3) put('.git/info/exclude', '*.go\n')
}

function content(next: Chance): string | Uint8Array {
  const kind = next()
  const end = kind < 0.2 ? '\r\n' : '\n'
  const lines = Array.from({ length: Math.floor(next() * 30) }, () =>
    Array.from({ length: Math.floor(next() * 5) }, () => pick(next, words)).join(
      pick(next, [' ', '', '_', ': ']),
    ),
  )
  const text = lines.join(end) + (next() < 0.7 ? end : '')
  if (kind > 0.95) return Buffer.from(`${text}\0${text}`)
  if (kind > 0.9)
    return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x20, 0xfe]), Buffer.from(text)])
  return kind > 0.87 ? `${'long '.repeat(900)}${text}` : text
}

/** Returns a glob of the subset that ripgrep supports too. */
export function somePattern(next: Chance): string {
  const atoms = [
    '*',
    '?',
    'a',
    'b',
    'ab',
    'foo',
    'src',
    '[ab]',
    '[!a]',
    '[a-f]',
    '{a,b}',
    '{src,a/b,x y}',
    '*.ts',
    '*.{ts,go}',
    'é',
    '.hid',
    '\\[x]',
  ]
  const segment = () => (next() < 0.3 ? '**' : pick(next, atoms) + (next() < 0.3 ? pick(next, atoms) : ''))
  const segments = Array.from({ length: 1 + Math.floor(next() * 4) }, segment)
  return segments.join('/')
}

export interface Query {
  pattern: string
  regex: boolean
  case_sensitive: boolean
  word_match: boolean
  max_matches: number
  context: number
  glob: string | undefined
}

export function someQuery(next: Chance): Query {
  const regex = next() < 0.3
  const regexes = [
    'fo+',
    '^foo',
    'bar$',
    '(foo|bar)',
    '\\bx\\b',
    '[[:upper:]]',
    '.*',
    'a.b',
    '\\d+',
    '^$',
    'é|É',
  ]
  const globs = ['*.ts', '*.{ts,go}', '**/a/*', 'src/**', '!*.ts', '[a-f]*', 'a/**/*.go']
  return {
    pattern: regex ? pick(next, regexes) : pick(next, words) + (next() < 0.2 ? pick(next, words) : ''),
    regex,
    case_sensitive: next() < 0.4,
    word_match: next() < 0.3,
    max_matches: pick(next, [1, 2, 3, 50]),
    context: pick(next, [0, 0, 1, 2, 5]),
    glob: next() < 0.4 ? pick(next, globs) : undefined,
  }
}
