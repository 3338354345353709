// Second count of the matching lines in files whose first count ended at a limit.

import type { ByteName } from '../../base/text/byte-name.ts'
import { isPassable } from '../../base/text/invisible-chars.ts'
import type { TextQuery } from '../text-query.ts'
import { runRipgrep, type SearchMeans } from './ripgrep.ts'

/** Largest size in bytes of the names that are passed to one start of ripgrep. */
const batchBytes = 96 * 1024

/**
 * Returns the number of matching lines by file name; empty without ripgrep. A file has no entry if it has no
 * match, if the time limit excluded it, or if its name cannot be an argument. `meaning` are the ripgrep
 * options that decide what a match is.
 */
export async function countLinesOfFiles(
  names: readonly ByteName[],
  dir: string,
  meaning: readonly string[],
  means: SearchMeans,
): Promise<Map<ByteName, number>> {
  const counts = new Map<ByteName, number>()
  for (const batch of splitBatches(names.filter(isPassable))) {
    let text = ''
    const args = ['--count', '--null', '--with-filename', '--no-ignore', '--hidden', ...meaning, '--']
    const ran = await runRipgrep([...args, ...batch.map((name) => `./${name}`)], dir, means, (chunk) => {
      text += chunk.toString('latin1')
    })
    for (const [, name, count] of text.matchAll(/\.\/([^\0]+)\0(\d+)\r?\n/g))
      counts.set(name as ByteName, Number(count))
    if (!ran || ran.ended) break
  }
  return counts
}

function splitBatches(names: readonly ByteName[]): ByteName[][] {
  const out: ByteName[][] = []
  let room = 0
  for (const name of names) {
    if (room < name.length) {
      out.push([])
      room = batchBytes
    }
    out.at(-1)?.push(name)
    room -= name.length + 3
  }
  return out
}

/**
 * Number of bytes after a match that count as part of it in a sparse query. So a long line has few matches.
 */
const sparseBytes = 256

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&')

/**
 * Returns the ripgrep options that decide what a match is. With `sparse`, patterns are literal texts even if
 * `regex` is set, unless a pattern contains a line end.
 */
export function meaningArgs(
  textQuery: Pick<TextQuery, 'patterns' | 'regex' | 'caseSensitive' | 'word' | 'sparse'>,
): string[] {
  const { patterns } = textQuery
  const isSparse = textQuery.sparse === true && !patterns.some((one) => one.includes('\n'))
  const args = isSparse
    ? [`--regexp=(?:${patterns.map(escapePattern).join('|')})(?-u:[^\\n]{${sparseBytes}})?`]
    : [...patterns.map((pattern) => `--regexp=${pattern}`), textQuery.regex ? '--crlf' : '--fixed-strings']
  args.push(textQuery.caseSensitive ? '--case-sensitive' : '--ignore-case')
  if (textQuery.word) args.push('--word-regexp')
  const lines = textQuery.patterns.some(
    (one) => one.includes('\n') || (textQuery.regex && one.includes('\\n')),
  )
  if (lines) args.push('--multiline')
  return args
}
