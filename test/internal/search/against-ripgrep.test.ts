// Listings and searches of Anode, compared with ripgrep over random trees, and the fallbacks
// compared with both.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles } from '../../../internal/search/file-list.ts'
import { compileGlob } from '../../../internal/search/glob/glob.ts'
import { formatHits } from '../../../internal/search/hit-format.ts'
import { ripgrepPrograms } from '../../../internal/search/ripgrep/ripgrep.ts'
import { clipToMatch } from '../../../internal/search/ripgrep/ripgrep-output.ts'
import type { SearchTree } from '../../../internal/search/search-tree.ts'
import type { TextQuery } from '../../../internal/search/text-query.ts'
import { searchText } from '../../../internal/search/text-search.ts'
import { grow, type Query, somePattern, someQuery } from '../../support/forest.ts'
import { run } from '../../support/run.ts'
import { rounds } from '../../support/sample.ts'
import { means, plant, random } from '../../support/search.ts'

const seed = Number(process.env.ANODE_SEED ?? 7)
const trees = Number(process.env.ANODE_TREES ?? rounds(2, 6))
const rg = ripgrepPrograms()[0] as string
console.log(`against ripgrep: seed ${seed}, ${trees} trees`)

function ripgrep(dir: string, args: readonly string[]): string {
  const outside = existsSync(join(dir, '.git')) ? [] : ['--no-require-git', '--no-ignore-parent']
  const done = spawnSync(rg, ['--no-config', '-g', '!.git', ...outside, ...args, './'], {
    cwd: dir,
    maxBuffer: 1 << 28,
  })
  return done.stdout.toString('latin1')
}

const names = (text: string) =>
  text
    .split('\0')
    .filter(Boolean)
    .map((name) => name.slice(2))
const isHidden = (name: string) => name.startsWith('.') || name.includes('/.')
const sorted = (list: Iterable<string>) => [...list].sort((a, b) => (a < b ? -1 : 1))

/** Returns the files that ripgrep lists, without dot files that an ignore file includes again. */
function listed(dir: string, hidden: boolean): string[] {
  const all = names(ripgrep(dir, ['--files', '--null', ...(hidden ? ['--hidden'] : [])]))
  return sorted(hidden ? all : all.filter((name) => !isHidden(name)))
}

/** Returns the files that match a glob in ripgrep without ignore files. */
function meant(dir: string, pattern: string): Set<string> {
  return new Set(names(ripgrep(dir, ['--files', '--null', '--no-ignore', '--hidden', '-g', pattern])))
}

async function ours(dir: string, rest: Partial<SearchTree>, tools: string[]): Promise<string[]> {
  const found: string[] = []
  const tree = { dir, top: dir, hidden: false, guarded: false, ...rest }
  await listFiles(tree, means({ programs: tools }), (some) => found.push(...some))
  return sorted(found)
}

describe.each(Array.from({ length: trees }, (_, i) => i))('tree %i', (number) => {
  const next = random(seed * 1_000 + number)
  const dir = plant()
  grow(dir, next)

  test.each([true, false])('listing, hidden %s', async (hidden) => {
    const expected = listed(dir, hidden)
    expect(await ours(dir, { hidden }, ripgrepPrograms())).toEqual(expected)
    expect(await ours(dir, { hidden }, [])).toEqual(expected)
  })

  test('matches globs', async () => {
    for (let i = 0; i < 25; i++) {
      const pattern = somePattern(next)
      const hidden = next() < 0.5
      // a leading slash ties the pattern of ripgrep to the root
      const wanted = meant(dir, `/${pattern}`)
      // ? and [!…] count bytes in ripgrep and characters in Anode
      const alike = (name: string) => !/[?!]/.test(pattern) || !/[^\x00-\x7f]/.test(name)
      const expected = listed(dir, hidden).filter((name) => wanted.has(name) && alike(name))
      const found = await ours(dir, { hidden, glob: compileGlob(pattern) }, ripgrepPrograms())
      expect(found.filter(alike), pattern).toEqual(expected)
    }
  })

  test.each([1, 4])('searches with %i threads', async (threads) => {
    for (let i = 0; i < 15; i++) {
      const query = someQuery(next)
      const tree = treeOf(dir, query)
      const found = await searchText(tree, wantedOf(query), withThreads(threads))
      expect(formatHits(found.files, '', query.context > 0), JSON.stringify(query)).toBe(
        reference(dir, query),
      )
    }
  })

  test('searches without ripgrep', async () => {
    for (let i = 0; i < 8; i++) {
      // grep in the C locale does not treat characters outside ASCII as letters
      const query = { ...someQuery(next), regex: false }
      if (/[^\x00-\x7f]/.test(query.pattern)) continue
      const found = await searchText(treeOf(dir, query), wantedOf(query), means({ programs: [] }))
      expect(found.engine).toBe('grep')
      expect(formatHits(found.files, '', query.context > 0), JSON.stringify(query)).toBe(
        reference(dir, query, true),
      )
    }
  })
})

/** ripgrep prints differently on a machine with a single processor */
const withThreads = (threads: number) =>
  means({ run: (command) => run({ ...command, args: [`--threads=${threads}`, ...command.args] }) })

const treeOf = (dir: string, query: Query): SearchTree => ({
  ...{ dir, top: dir, hidden: false, guarded: false },
  ...(query.glob !== undefined && { glob: compileGlob(query.glob, true) }),
})

const wantedOf = (query: Query): TextQuery => ({
  patterns: [query.pattern],
  regex: query.regex,
  caseSensitive: query.case_sensitive,
  word: query.word_match,
  max: query.max_matches,
  context: query.context,
  room: 1 << 24,
})

interface Message {
  type: string
  data: {
    path: { text?: string; bytes?: string }
    lines: { text?: string; bytes?: string }
    line_number: number
    submatches?: { start: number }[]
  }
}

/**
 * Returns the expected text, made from ripgrep's JSON of all matches, with limits and filters applied here.
 */
function reference(dir: string, query: Query, posix = false): string {
  const wanted = query.glob === undefined ? undefined : meant(dir, query.glob)
  const files = new Set(listed(dir, false).filter((name) => !wanted || wanted.has(name)))
  const args = [
    '--json',
    '-e',
    query.pattern,
    query.regex ? '--crlf' : '-F',
    query.case_sensitive ? '-s' : '-i',
  ]
  if (query.word_match) args.push('-w')
  if (posix) args.push('--no-unicode')
  const messages = ripgrep(dir, ['-C', String(query.context), ...args])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Message)
  const bytes = (one: { text?: string; bytes?: string }) =>
    (one.text === undefined ? Buffer.from(one.bytes as string, 'base64') : Buffer.from(one.text)).toString(
      'latin1',
    )
  const byFile = new Map<string, Message[]>()
  for (const message of messages) {
    if (message.type !== 'match' && message.type !== 'context') continue
    const name = bytes(message.data.path).slice(2)
    if (files.has(name)) byFile.set(name, [...(byFile.get(name) ?? []), message])
  }
  const hits = sorted(byFile.keys()).map((name) => {
    const all = byFile.get(name) as Message[]
    const kept = all.filter((one) => one.type === 'match').slice(0, query.max_matches)
    const numbers = kept.map((one) => one.data.line_number)
    const near = (n: number) => numbers.some((one) => Math.abs(one - n) <= query.context)
    const lines = all
      .filter((one) => near(one.data.line_number))
      .map(({ data }) => {
        const raw = bytes(data.lines).replace(/\r?\n$/, '')
        const match = numbers.includes(data.line_number)
        const column = match && !posix ? (data.submatches?.[0]?.start ?? 0) + 1 : 1
        return { line: data.line_number, match, text: clipToMatch(raw, column) }
      })
    return { name, lines, matches: kept.length }
  })
  return formatHits(hits, '', query.context > 0)
}
