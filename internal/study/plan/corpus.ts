// Corpus of a study: the files below its root, their digest, and the skipped files.
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
import { withSteadyHeap } from '../../retrieval/limits/search-limit.ts'
import { isStudyReport, studyReportSkipped } from '../../text-analysis/study-report.ts'
import { findTerms } from '../../text-analysis/terms.ts'
import type { SkippedSource } from '../log/study-conditions.ts'
import { type CorpusFiles, listCorpus } from './corpus-files.ts'

interface SurveyedCorpus {
  /**
   * Digest of the paths and contents of the files, in hex. Equal files have the same digest on any machine,
   * in a repository or a plain copy. Git is used only to list names, because it may run programs of the
   * repository when it compares contents.
   */
  id: string
  /**
   * The files that are not skipped, sorted by path. Each line is the SHA-256 of a file, a space,
   * and its path.
   */
  lines: readonly string[]
  /**
   * Digest of the sorted paths of all listed files, without their contents. Skipped files count too, except
   * documents that git ignores.
   */
  names: string
  files: number
  /** Size of the files in bytes. */
  bytes: number
  /** Files that the tools of a study do not read, sorted by path, with reasons. */
  skipped: SkippedSource[]
  /**
   * Files about which there is a notice, for example that their encoding is a guess or that parts of them
   * are not shown.
   */
  noted: SkippedSource[]
  /** Number of files in which each term occurs. */
  frequency: Record<string, number>
}

interface SurveyOptions {
  signal?: AbortSignal
  /**
   * Called repeatedly with the number of files examined so far and of all files: first with 0 of 0, before
   * the names are known. No call reports the end.
   */
  show?: (seen: number, all: number) => void
}

/** Largest size in bytes of a text file that is part of the sources of a study. Larger ones are skipped. */
const maxFileBytes = 2 << 20

/**
 * Number of files, and milliseconds (`turnMs`), after which reading pauses so that the process can
 * do other work.
 */
const filesPerTurn = 100
const turnMs = 50

/**
 * Reads the files below `root`, which has to be a real path, each at most once. Rejects when the signal
 * aborts, and with FailureError if git does not finish: a walk through the directory instead would read other
 * files than the user expects.
 */
export async function surveyCorpus(
  root: string,
  terms: readonly string[],
  run: RunCommand | undefined,
  options: SurveyOptions = {},
): Promise<SurveyedCorpus> {
  options.show?.(0, 0)
  const listed = await listCorpus(root, run, options.signal)
  return withSteadyHeap(listed.names.length, () => readCorpus(root, listed, terms, options))
}

async function readCorpus(
  root: string,
  { names, skipped }: CorpusFiles,
  terms: readonly string[],
  { signal, show }: SurveyOptions,
): Promise<SurveyedCorpus> {
  const frequency: Record<string, number> = Object.fromEntries(terms.map((term) => [term, 0]))
  const lines: string[] = []
  const noted: SkippedSource[] = []
  let size = 0
  let turnEndsMs = 0
  for (const [i, name] of names.entries()) {
    if (i % filesPerTurn === 0 || performance.now() > turnEndsMs) {
      show?.(i, names.length)
      // Files are read synchronously, so signals, timers and rendering get a turn here.
      await setImmediate(undefined, signal && { signal })
      turnEndsMs = performance.now() + turnMs
    }
    const content = await contentOf(root, name, skipped, signal)
    if (!content) continue
    if (isStudyReport(content.text)) {
      // A report of a study is not a source, and a new report does not change the corpus.
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
    lines,
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

/**
 * Returns the content of a file, or undefined if the file is missing or is not read. Documents that cannot be
 * read, large and binary files, and links out of the root are added to `skipped`.
 */
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

/**
 * Returns true for a link, which is not read, and for a file that has disappeared. A link out of the root is
 * added to `skipped`. The target of any other link is in the root and counts under its own name.
 */
function leadsAway(root: string, path: string, name: string, skipped: SkippedSource[]): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return false
    if (!realpathSync(path).startsWith(root + sep)) skipped.push({ path: name, why: 'link out of the root' })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  return true
}
