// Notices about a search, and the error for a search that failed.

import { type Failure, FailureError } from '../base/errors.ts'
import { bytesOfText } from '../base/text/byte-name.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { describeGuess } from '../base/text/detect-encoding.ts'
import { shownName } from '../base/text/invisible-chars.ts'
import type { Glob } from './glob/glob.ts'
import { compileGlob } from './glob/glob.ts'
import type { SearchEnd } from './ripgrep/ripgrep.ts'
import type { TextSearchResult } from './text-query.ts'

/** Longest duration of one search in milliseconds. After it, the search ends with the matches so far. */
export const maxSearchMs = 60_000

/** Largest number of bytes of matching lines that one search stores. Further matches are only counted. */
export const maxFoundBytes = 256 * 1024

/**
 * Compiles a glob argument. Throws FailureError `bad_args` for an invalid pattern, with the name of the
 * argument and the error.
 */
export function readGlob(name: string, source: string, anywhere: boolean): Glob {
  try {
    return compileGlob(source, anywhere)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `${name} ${JSON.stringify(source)}: ${error.message}`
    throw new FailureError({ code: 'bad_args', message }, error)
  }
}

/**
 * Compiles a glob for paths to exclude, without the slashes at its end, which mean a directory. Throws
 * FailureError `bad_args` for an invalid pattern.
 */
export const readExclusion = (source: string): Glob =>
  readGlob('exclude', source.length > 1 ? source.replace(/\/+$/, '') : source, true)

/**
 * Returns notices about skipped, hidden and unreadable files, and about files that are not UTF-8. `prefix` is
 * put before file names.
 */
export function listRemarks(
  searchResult: Pick<TextSearchResult, 'skipped' | 'unreadable' | 'hidden' | 'encodings' | 'undetected'>,
  prefix = '',
): string[] {
  const out: string[] = []
  const { hidden = [] } = searchResult
  if (hidden.length > 0) {
    const first = hidden.reduce((a, b) => (b < a ? b : a))
    const files = countNoun(hidden.length, 'hidden file')
    const name = shownName(bytesOfText(prefix) + first)
    out.push(
      `${files} with a match skipped, such as ${name}; to search hidden files, name one in path or glob`,
    )
  }
  if (searchResult.skipped > 0) {
    out.push(
      `${countNoun(searchResult.skipped, 'file or folder', 'files and folders')} ` +
        'with sensitive names skipped; name one as path to search it',
    )
  }
  if (searchResult.unreadable > 0) out.push(`${countNoun(searchResult.unreadable, 'file')} could not be read`)
  for (const { name, ...read } of (searchResult.encodings ?? []).slice(0, maxEncodings))
    out.push(`${shownName(bytesOfText(prefix) + name)}: ${describeGuess(read) ?? `read as ${read.encoding}`}`)
  const more = (searchResult.encodings?.length ?? 0) - maxEncodings
  if (more > 0) out.push(`${countNoun(more, 'more file')} read in another encoding than UTF-8`)
  if (searchResult.undetected) {
    const { first, count } = searchResult.undetected
    const files = countNoun(count, 'file')
    const name = shownName(bytesOfText(prefix) + first)
    const searched = `${files} in other encodings searched as UTF-8 only, from ${name} on`
    out.push(`${searched}; to read them, name a part in path`)
  }
  return out
}

/**
 * Largest number of files with another encoding that get a notice each. One more notice counts the others.
 */
const maxEncodings = 5

/**
 * Returns a hint that brackets in a glob have a special meaning, which may be why it matches nothing;
 * undefined for a glob without brackets.
 */
export const bracketHint = (glob: string | undefined): string | undefined =>
  glob?.includes('[') ? '[…] is a set of characters: write \\[ for a bracket in a name' : undefined

/** Returns the failure for a search that did not finish; undefined for a complete one. */
export function searchFailure(endReason: SearchEnd): Failure | undefined {
  if (endReason === 'cancelled') return { code: 'cancelled', message: 'the search was cancelled' }
  if (endReason === 'timeout') {
    const message = `the search was stopped after ${maxSearchMs / 1000} s; what follows is not everything`
    return { code: 'timeout', message, hint: 'narrow it with path or a more exact pattern' }
  }
  if (endReason === 'broken') {
    const message = 'the search program died before its end; what follows is not everything'
    return { code: 'command_failed', message, hint: 'search again before you take anything for missing' }
  }
  return undefined
}

/** Formats notices as the last lines of a result, each in brackets. */
export const formatRemarks = (lines: readonly string[]): string => lines.map((line) => `[${line}]`).join('\n')
