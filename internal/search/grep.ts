// Content search with the system's grep, for systems without ripgrep.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { type ByteName, textOfBytes } from '../base/text/byte-name.ts'
import { isPassable } from '../base/text/invisible-chars.ts'
import { compareBytes, listFiles } from './file-list.ts'
import { createHitBuffer, type FileHits, type HitLine } from './hit-buffer.ts'
import { type SearchMeans, searchEnd } from './ripgrep/ripgrep.ts'
import { clipToMatch } from './ripgrep/ripgrep-output.ts'
import type { SearchTree } from './search-tree.ts'
import { contextLinesOf, type TextQuery, type TextSearchResult } from './text-query.ts'

const batchBytes = 96 * 1024

/**
 * Walks the tree and runs grep on the files in batches, in order of their names. Regular expressions are
 * POSIX extended ones, and `caseSensitive: false` ignores the case of ASCII letters only. Context lines are
 * read from the files, because POSIX grep has no option for them. Throws FailureError `bad_args` for a
 * pattern that contains a line end or that grep rejects, and `unavailable` for matches over several lines,
 * for a type of files, or if grep cannot be started.
 */
export async function searchWithGrep(
  tree: SearchTree,
  textQuery: TextQuery,
  means: SearchMeans,
): Promise<TextSearchResult> {
  if (textQuery.patterns.some((pattern) => pattern.includes('\n'))) {
    throw new FailureError({
      code: 'bad_args',
      message: 'without ripgrep a pattern cannot go over several lines',
    })
  }
  if (textQuery.multiline || textQuery.type !== undefined) {
    const what = textQuery.multiline ? 'matches over several lines' : 'types of files'
    throw new FailureError({ code: 'unavailable', message: `${what} need ripgrep`, hint: 'install ripgrep' })
  }
  const names: ByteName[] = []
  const listing = await listFiles(tree, { ...means, programs: [] }, (some) => names.push(...some))
  const usable = names.filter(isPassable).sort(compareBytes)
  const hitBuffer = createHitBuffer(textQuery.room, textQuery.max)
  const { skipped } = listing
  let unreadable = listing.unreadable + names.length - usable.length
  let endReason = listing.ended
  for (const batch of splitBatches(usable)) {
    if (endReason) break
    const batchResult = await runGrep(batch, tree.dir, textQuery, means)
    endReason = batchResult.ended
    unreadable += batchResult.unreadable
    for (const hits of batchResult.files) {
      hitBuffer.add(
        hasContext(textQuery) ? await withContext(hits, tree.dir, textQuery) : capHits(hits, textQuery),
      )
    }
  }
  const shownHits = hitBuffer.end()
  const over = shownHits.files.filter((file) => file.matches > textQuery.max)
  const totals = over.map(({ name, matches }) => ({ name, total: matches }))
  return {
    engine: 'grep',
    ...shownHits,
    capped: totals,
    skipped,
    unreadable,
    binary: false,
    ended: endReason,
  }
}

/**
 * Yields lists of file names that fit into one command line. A name with a colon or a line end gets a
 * separate list, because it could be mistaken for other output of grep.
 */
function* splitBatches(names: readonly ByteName[]): Generator<ByteName[]> {
  let batch: ByteName[] = []
  let bytes = 0
  for (const name of names) {
    if (/[:\n]/.test(name)) {
      yield [name]
      continue
    }
    if (bytes + name.length > batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(name)
    bytes += name.length + 16
  }
  if (batch.length > 0) yield batch
}

async function runGrep(batch: readonly ByteName[], cwd: string, textQuery: TextQuery, means: SearchMeans) {
  const args = ['-n', '-I', textQuery.regex ? '-E' : '-F']
  if (!textQuery.caseSensitive) args.push('-i')
  if (textQuery.word) args.push('-w')
  for (const pattern of textQuery.patterns) args.push('-e', pattern)
  // With a second file, /dev/null, every grep prints the name of the file before a match.
  args.push('--', ...batch.map((name) => `./${textOfBytes(name)}`), '/dev/null')
  const read = createLineReader(batch, textQuery)
  const complaintLog = createComplaintLog()
  if (!means.run) throw new FailureError({ code: 'unavailable', message: 'no programs can be started here' })
  const outcome = await means
    .run({
      file: 'grep',
      args,
      cwd,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
      signal: means.signal,
      timeoutMs: means.timeoutMs,
      keepBytes: 1024,
      childless: true,
      onOutput: (chunk, stream) => {
        const text = Buffer.from(chunk).toString('latin1')
        if (stream === 'stdout') read.take(text)
        else complaintLog.take(text)
      },
    })
    .catch((error: unknown) => {
      if (error instanceof FailureError && error.failure.code === 'not_found') {
        const message = 'neither ripgrep nor grep could be started'
        throw new FailureError({ code: 'unavailable', message, hint: 'install ripgrep' }, error)
      }
      throw error
    })
  const files = read.end()
  const { unreadable, other } = complaintLog.end()
  if (outcome.exit === 2 && files.length === 0 && unreadable === 0 && other !== '') {
    const message = `pattern: ${other}`
    const hint = 'without ripgrep regex means a POSIX extended regular expression'
    throw new FailureError({ code: 'bad_args', message, hint })
  }
  return { files, unreadable, ended: searchEnd(outcome, unreadable > 0 ? [0, 1, 2] : [0, 1]) }
}

/**
 * Returns a reader of grep's standard error. It counts messages about unreadable files. Of the other
 * messages, it keeps the first, up to 1,000 characters.
 */
function createComplaintLog() {
  let rest = ''
  let unreadable = 0
  let other = ''
  const line = (text: string) => {
    if (/: (?:No such file|Permission denied|Is a dir|Input\/output error)/.test(text)) unreadable++
    else if (other === '') other = text.trim().slice(0, 1_000)
  }
  return {
    take(text: string) {
      const all = (rest + text).split('\n')
      rest = all.pop() as string
      for (const one of all) line(one)
    },
    end() {
      if (rest !== '') line(rest)
      return { unreadable, other }
    },
  }
}

/**
 * Creates a parser of output lines of the form `./name:number:text`. grep prints files in the order of
 * `batch`, so each line is compared with the current name and with those after it. A line that fits no
 * name is ignored.
 */
function createLineReader(batch: readonly ByteName[], textQuery: TextQuery) {
  const files: FileHits[] = []
  let rest = ''
  let next = 0
  let current: FileHits | undefined
  const line = (text: string) => {
    let at = next
    while (at < batch.length && !text.startsWith(`./${batch[at]}:`)) at++
    if (at === batch.length) return
    const name = batch[at] as ByteName
    if (current?.name !== name) {
      current = { name, lines: [], matches: 0 }
      files.push(current)
      next = at
    }
    const body = /^(\d+):(.*?)\r?$/s.exec(text.slice(name.length + 3))
    if (!body) return
    current.matches++
    if (current.matches > textQuery.max) return
    current.lines.push({ line: Number(body[1]), match: true, text: clipToMatch(body[2] as string, 1) })
  }
  return {
    take(chunk: string) {
      rest += chunk
      let from = 0
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', from)) {
        // A name that contains a line end is the only one in its batch, so all of the output belongs to it.
        const whole = rest.slice(from, end)
        const name = batch.length === 1 ? `./${batch[0]}:` : ''
        if (name.startsWith(`${whole}\n`)) {
          const stop = rest.indexOf('\n', from + name.length)
          if (stop === -1) break
          line(rest.slice(from, stop))
          from = stop + 1
        } else {
          line(whole)
          from = end + 1
        }
      }
      rest = rest.slice(from)
    },
    end() {
      if (rest !== '') line(rest)
      return files
    },
  }
}

function hasContext(textQuery: TextQuery): boolean {
  const { before, after } = contextLinesOf(textQuery)
  return before + after > 0
}

const capHits = (hits: FileHits, textQuery: TextQuery): FileHits => ({
  ...hits,
  lines: hits.lines.slice(0, textQuery.max),
})

/**
 * Returns the matches with the lines around them, each line once. If the file cannot be read, returns
 * the matches alone.
 */
async function withContext(hits: FileHits, dir: string, textQuery: TextQuery): Promise<FileHits> {
  const bytes = await readFile(join(dir, textOfBytes(hits.name))).catch(() => undefined)
  if (!bytes) return hits
  const all = bytes.toString('latin1').split('\n')
  if (all.at(-1) === '') all.pop()
  const { before, after } = contextLinesOf(textQuery)
  const wantedLines = new Map<number, HitLine>()
  for (const hit of hits.lines.slice(0, textQuery.max)) {
    const end = Math.min(all.length, hit.line + after)
    for (let n = Math.max(1, hit.line - before); n <= end; n++) {
      const text = (all[n - 1] as string).replace(/\r$/, '')
      if (!wantedLines.has(n)) wantedLines.set(n, { line: n, match: false, text: clipToMatch(text, 1) })
    }
    wantedLines.set(hit.line, hit)
  }
  const lines = [...wantedLines.values()].sort((a, b) => a.line - b.line)
  return { ...hits, lines }
}
