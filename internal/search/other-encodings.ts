// Second search in files that are not UTF-8, in the encoding that is detected for each file.
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { type ByteName, textOfBytes } from '../base/text/byte-name.ts'
import { decodeAnyText } from '../base/text/detect-encoding.ts'
import { isPassable } from '../base/text/invisible-chars.ts'
import { contentKind } from '../base/text/text-encoding.ts'
import { runRipgrep, type SearchMeans } from './ripgrep/ripgrep.ts'
import { admitsFile, type SearchTree, walkArgs } from './search-tree.ts'
import type { TextQuery, TextSearchResult } from './text-query.ts'
import { utf16Pattern } from './utf16-pattern.ts'

interface EncodedSearch {
  tree: SearchTree
  textQuery: TextQuery
  means: SearchMeans
  searchOnce: (
    tree: SearchTree,
    textQuery: TextQuery,
    means: SearchMeans,
    extra: readonly string[],
  ) => Promise<TextSearchResult>
}

/** Largest number of bytes at the beginning of a file that are read to detect its encoding. */
const sampleBytes = 256 << 10
/** Largest number of files of one search whose encoding is detected. Others are searched only as UTF-8. */
const maxFiles = 500

/**
 * Expression for bytes that valid UTF-8 text does not contain: invalid sequences, and letters with NUL bytes
 * between them. With it, ripgrep finds the files to check in one pass.
 */
const foreign = `(?-u)(?:${[
  '[\\xC0-\\xDF](?:[^\\x80-\\xBF]|$)',
  '[\\xE0-\\xEF](?:[^\\x80-\\xBF]|[\\x80-\\xBF][^\\x80-\\xBF]|.?$)',
  '(?:^|[\\x00-\\x7F])[\\x80-\\xBF]',
  '[\\xF5-\\xFF]',
  '(?:[\\x09-\\x7E]\\x00){4}',
  '(?:\\x00[\\x09-\\x7E]){4}',
].join('|')})`

/**
 * Searches files in other encodings again, each in its encoding, and returns `searchResult` with these
 * results in place of the first ones. Encodings are detected for at most 500 files. `undetected` has the name
 * of the first of the others and their number.
 */
export async function searchOtherEncodings(
  searchResult: TextSearchResult,
  search: EncodedSearch,
): Promise<TextSearchResult> {
  const { tree, textQuery, means, searchOnce } = search
  const torn = searchResult.files.filter(({ lines }) => lines.some(({ text }) => text.includes('\ufffd')))
  // An ASCII text that was found nowhere can only be in UTF-16 files, and ripgrep finds that text faster
  // than invalid bytes.
  const wide = torn.length > 0 ? undefined : utf16Pattern(textQuery)
  const names = new Set([...torn.map(({ name }) => name), ...(await listMatching(wide ?? foreign, search))])
  const candidates = [...names].filter(isPassable).sort()
  const detected = await detectEncodings(tree, candidates.slice(0, maxFiles))
  let merged = searchResult
  const encodings: NonNullable<TextSearchResult['encodings']> = []
  for (const encoding of new Set(detected.map((one) => one.encoding))) {
    const group = detected.filter((one) => one.encoding === encoding)
    const files = group.map(({ name }) => textOfBytes(name))
    const encodedResult = await searchOnce({ ...tree, files }, textQuery, means, [`--encoding=${encoding}`])
    const isOwn = new Set(group.map(({ name }) => name))
    merged = mergeResults(merged, encodedResult, isOwn)
    const matching = new Set(encodedResult.files.map(({ name }) => name))
    encodings.push(...group.filter(({ name }) => matching.has(name)))
  }
  const [first] = candidates.slice(maxFiles)
  return {
    ...merged,
    encodings: encodings.length > 0 ? encodings : merged.encodings,
    undetected: first === undefined ? merged.undetected : { first, count: candidates.length - maxFiles },
  }
}

/**
 * Returns the files of the tree, of at most 64 MiB each, whose bytes match the regular expression.
 * Empty without ripgrep.
 */
async function listMatching(bytes: string, { tree, means }: EncodedSearch): Promise<ByteName[]> {
  const { walk, paths } = await walkArgs(tree)
  const args = ['--files-with-matches', '--null', '--encoding=none', '--text', '--max-filesize=64M']
  let text = ''
  await runRipgrep(
    [...args, `--regexp=${bytes}`, ...walk, ...(paths.length > 0 ? paths : ['--', './'])],
    tree.dir,
    means,
    (chunk) => {
      text += chunk.toString('latin1')
    },
  )
  return text
    .split('\0')
    .filter((name) => name.startsWith('./'))
    .map((name) => name.slice(2) as ByteName)
    .filter((name) => admitsFile(tree, name))
}

/**
 * Returns files with their detected encodings. Excluded are files that are mostly UTF-8, are not text, or
 * cannot be opened, and files with a byte order mark, which ripgrep recognizes. Outside of UTF-16, files with
 * fewer than four bytes outside of ASCII are excluded too.
 */
async function detectEncodings(tree: SearchTree, names: readonly ByteName[]) {
  const detected: { name: ByteName; encoding: string; guessed?: true }[] = []
  for (const name of names) {
    try {
      const opened = openPlain(join(tree.dir, textOfBytes(name)))
      const { bytes, whole } = await readPrefix(opened, sampleBytes).finally(() => closeSync(opened.fd))
      const kind = contentKind(bytes)
      if (kind !== 'encoding' && kind !== 'binary') continue
      if (kind === 'encoding' && isTornUtf8(bytes)) continue
      const decoded = await decodeAnyText(bytes, undefined, !whole)
      if (!decoded || decoded.encoding === 'utf-8') continue
      const { encoding, guessed } = decoded
      detected.push({ name, encoding, guessed })
    } catch (error) {
      // A file that was removed meanwhile or cannot be opened is left out, so its error is ignored.
      if (!(error instanceof FailureError)) throw error
    }
  }
  return detected
}

/** Smallest number of bytes outside of ASCII from which an encoding can be detected. */
const minForeignBytes = 4

/**
 * Returns true if the bytes have at least as many valid UTF-8 characters as invalid bytes, so that the text
 * is UTF-8 with errors. Also returns true if too few bytes are outside of ASCII to detect an encoding.
 */
function isTornUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1')
  const whole =
    text.match(/[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}/g) ?? []
  const beyond = text.match(/[\x80-\xFF]/g)?.length ?? 0
  const broken = beyond - whole.join('').length
  return beyond < minForeignBytes || whole.length >= broken
}

/**
 * Returns `searchResult`, in which the results of the files in `isOwn` are replaced by
 * those of `encodedResult`.
 */
function mergeResults(
  searchResult: TextSearchResult,
  encodedResult: TextSearchResult,
  isOwn: ReadonlySet<ByteName>,
): TextSearchResult {
  const files = [...searchResult.files.filter(({ name }) => !isOwn.has(name)), ...encodedResult.files]
  return {
    ...searchResult,
    files: files.sort((a, b) => (a.name < b.name ? -1 : 1)),
    left: {
      files: searchResult.left.files + encodedResult.left.files,
      matches: searchResult.left.matches + encodedResult.left.matches,
      more: searchResult.left.more || encodedResult.left.more,
    },
    bytes: searchResult.bytes + encodedResult.bytes,
    capped: [...searchResult.capped.filter(({ name }) => !isOwn.has(name)), ...encodedResult.capped],
    binary: searchResult.binary && encodedResult.files.length === 0,
    ended: searchResult.ended ?? encodedResult.ended,
  }
}
