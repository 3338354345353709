// What a study reads: the files below its root, their digest, and what is left out of them.
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { decodeAnyText, describeGuess } from '../../base/text/detect-encoding.ts'
import { contentKind } from '../../base/text/text-encoding.ts'
import { readDocument } from '../../document/document.ts'
import { describeUnreadKind, isPackedDocument } from '../../document/document-kind.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { withSteadyHeap } from '../../retrieval/limits/steady-heap.ts'
import { isStudyReport, studyReportSkipped } from '../../text-analysis/study-report.ts'
import { findTerms } from '../../text-analysis/terms.ts'
import type { SkippedSource } from '../log/entries.ts'
import { type CorpusFiles, listCorpus } from './corpus-files.ts'

interface Corpus {
  /**
   * Digest of paths and contents, in hex: equal for equal files on any machine, in a repository or in a plain
   * copy of it. Git is asked for names only, since its own comparison of contents may run programs that a
   * repository names.
   */
  id: string
  /** Digest of the names that were looked at. */
  names: string
  files: number
  /** Size of these files. */
  bytes: number
  /** What no tool of a study reads, in the order of paths. */
  skipped: SkippedSource[]
  /** Files that are read with something to know: a guessed encoding, or parts that are not shown. */
  noted: SkippedSource[]
  /** In how many files each of the terms occurs. */
  frequency: Record<string, number>
}

interface SurveyOptions {
  signal?: AbortSignal
  /**
   * Called at the start, with 0 of 0 until their names are known, and often after that, with the files that
   * have been looked at, of how many.
   */
  show?: (seen: number, all: number) => void
}

/** Larger texts are not read by any tool of a study. */
const maxFileBytes = 2 << 20

/** Files, and milliseconds, after which everything else of the process has its turn. */
const filesPerTurn = 100
const turnMs = 50

/**
 * `root` is a real path. Reads every file once. Rejects with FailureError when git does not come to an end
 * there: what would be read instead is not what the person means, and the searches of the study would wait as
 * well.
 */
export async function surveyCorpus(
  root: string,
  terms: readonly string[],
  run: RunCommand | undefined,
  options: SurveyOptions = {},
): Promise<Corpus> {
  options.show?.(0, 0)
  const listed = await listCorpus(root, run, options.signal)
  return withSteadyHeap(listed.names.length, () => readCorpus(root, listed, terms, options))
}

async function readCorpus(
  root: string,
  { names, skipped }: CorpusFiles,
  terms: readonly string[],
  { signal, show }: SurveyOptions,
): Promise<Corpus> {
  const frequency: Record<string, number> = Object.fromEntries(terms.map((term) => [term, 0]))
  const lines: string[] = []
  const noted: SkippedSource[] = []
  let size = 0
  let turnEndsMs = 0
  for (const [i, name] of names.entries()) {
    if (i % filesPerTurn === 0 || performance.now() > turnEndsMs) {
      show?.(i, names.length)
      // reading is synchronous: signals, timers and drawings come in between
      await setImmediate(undefined, signal && { signal })
      turnEndsMs = performance.now() + turnMs
    }
    const content = await contentOf(root, name, skipped, signal)
    if (!content) continue
    if (isStudyReport(content.text)) {
      // neither a source nor a change of the corpus
      skipped.push({ path: name, why: studyReportSkipped })
      continue
    }
    size += content.size
    if (content.notes) noted.push({ path: name, why: content.notes.join('; ') })
    lines.push(`${content.sha256} ${name}`)
    for (const term of findTerms(content.text, terms)) frequency[term] = (frequency[term] ?? 0) + 1
  }
  skipped.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    id: fingerprint(lines.join('\n')),
    names: fingerprint(names.join('\n')),
    files: lines.length,
    bytes: size,
    skipped,
    noted,
    frequency,
  }
}

interface SourceContent {
  sha256: string
  size: number
  text: string
  notes?: readonly string[]
}

/** Undefined for what cannot be read, which `skipped` names, or has gone. */
async function contentOf(
  root: string,
  name: string,
  skipped: SkippedSource[],
  signal: AbortSignal | undefined,
): Promise<SourceContent | undefined> {
  if (!isPackedDocument(name) && !describeUnreadKind(name)) return textOf(root, name, skipped)
  const path = join(root, name)
  if (leadsAway(root, path, name, skipped)) return undefined
  const read = await readDocument(path, { signal: signal ?? new AbortController().signal })
  if ('skipped' in read) {
    if (existsSync(path)) skipped.push({ path: name, why: read.skipped })
    return undefined
  }
  const text = read.blocks.map((block) => block.text).join('\n')
  return { sha256: read.sha256, size: read.size, text, notes: read.notes }
}

async function textOf(
  root: string,
  name: string,
  skipped: SkippedSource[],
): Promise<SourceContent | undefined> {
  const path = join(root, name)
  try {
    if (leadsAway(root, path, name, skipped)) return undefined
    const stat = lstatSync(path)
    if (!stat.isFile()) return undefined
    if (stat.size > maxFileBytes) {
      skipped.push({ path: name, why: 'over 2 MiB' })
      return undefined
    }
    const bytes = readFileSync(path)
    const kind = contentKind(bytes)
    const isOther = kind === 'utf16' || kind === 'encoding' || kind === 'binary'
    const decoded = isOther ? await decodeAnyText(bytes) : undefined
    if (decoded) {
      const guess = describeGuess(decoded)
      const content = { sha256: fingerprint(bytes), size: bytes.length, text: decoded.text }
      return { ...content, notes: guess === undefined ? undefined : [guess] }
    }
    if (kind === 'text')
      return { sha256: fingerprint(bytes), size: bytes.length, text: bytes.toString('utf8') }
    skipped.push({ path: name, why: 'binary' })
    return undefined
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** What a link leads to inside of the root is there under its own name. */
function leadsAway(root: string, path: string, name: string, skipped: SkippedSource[]): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return false
    if (!realpathSync(path).startsWith(root + sep)) skipped.push({ path: name, why: 'link out of the root' })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  return true
}
