// The sources of a study: as they are read for verification, with their lines, and facts about their
// files and repository.

import { createHash } from 'node:crypto'
import { closeSync, realpathSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { openPlain, readPrefix } from '../../base/files/open-file.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { parseDocument, readDocument } from '../../document/document.ts'
import { documentKindOf } from '../../document/document-kind.ts'
import { textAtPlace } from '../../document/document-lines.ts'
import { documentLimits } from '../../document/reading-budget.ts'
import { runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { kindOfFile, weighFile } from '../../retrieval/file-kind.ts'
import type { SourceFacts } from '../log/entries.ts'
import { parseRemote } from './remote-address.ts'

/** Largest size in bytes of a text file that can be evidence. Documents have another limit. */
const maxTextBytes = 8 * 1024 * 1024

/**
 * Returns a reader for the check of claims. It resolves to undefined for anything but a readable file inside
 * `root`, and for a text over 8 MiB or a document over its limit. It never rejects.
 */
export function fileReaderBelow(root: string): EvidenceReader {
  return async (canonical) => {
    try {
      const [base, path] = await Promise.all([realpath(root), realpath(join(root, canonical))])
      if (!path.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const { size, isFile } = await stat(path).then((one) => ({ size: one.size, isFile: one.isFile() }))
      // Reading a named pipe would block, so only regular files are read.
      if (!isFile) return undefined
      const maxBytes = documentKindOf(path) ? documentLimits.bytes : maxTextBytes
      return size > maxBytes ? undefined : await readFile(path)
    } catch {
      // The source is missing, cannot be read, or is a URL.
      return undefined
    }
  }
}

/** Returns the current bytes of a source by its canonical name; undefined if it is not available. */
export type EvidenceReader = (canonical: string) => Promise<Uint8Array | undefined>

export interface SourceSnapshot {
  sha256: string
  /**
   * Returns the text at a position. Undefined for a locator that means neither lines nor a place in a
   * document, and for a document that cannot be read.
   */
  textAt(locator: string): string | undefined
}

/**
 * Reads the current state of a source; undefined if it cannot be read. Of a document only the text is stored,
 * because its bytes may be many.
 */
export async function takeSnapshot(
  canonical: string,
  read: EvidenceReader,
): Promise<SourceSnapshot | undefined> {
  const bytes = await read(canonical)
  if (!bytes) return undefined
  const sha256 = fingerprint(bytes)
  const kind = documentKindOf(canonical)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const document = kind && (await parseDocument(buffer, kind, { signal: new AbortController().signal }))
  const text = buffer.includes(0) ? '' : buffer.toString('utf8').replace(/^\uFEFF/, '')
  return {
    sha256,
    textAt(locator) {
      const ranges = parseLineRanges(locator)
      if (ranges) {
        const lines = text.split('\n')
        return ranges.map(({ from, to }) => lines.slice(from - 1, to).join('\n')).join('\n')
      }
      return document && 'blocks' in document ? textAtPlace(document.blocks, locator) : undefined
    },
  }
}

/**
 * Returns the lines of a locator such as `12`, `12-40` or `3-5,9`. They count from 1 and include both ends.
 * Undefined for locators that do not mean lines.
 */
export function parseLineRanges(locator: string): { from: number; to: number }[] | undefined {
  const out: { from: number; to: number }[] = []
  for (const part of locator.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part)
    if (!match) return undefined
    const from = Number(match[1])
    out.push({ from, to: match[2] === undefined ? from : Number(match[2]) })
  }
  return out
}

/**
 * Largest number of sources whose facts are collected, because each takes several calls of git. Others
 * get no facts.
 */
const maxSources = 100

/**
 * Describes at most 100 files below `root` and URLs, in the order of the input. Of a URL or a file that
 * cannot be read, only kind and weight are known.
 */
export async function describeSources(
  root: string,
  canonicals: readonly string[],
  run: RunCommand | undefined,
  signal: AbortSignal,
): Promise<SourceFacts[]> {
  const repository = run && (await openRepository(root, run, signal))
  const out: SourceFacts[] = []
  for (const canonical of canonicals.slice(0, maxSources)) {
    if (/^https?:\/\//.test(canonical)) out.push({ canonical, kind: 'web page', weight: 'secondary' })
    else out.push(await describeFile(root, canonical, repository, signal))
  }
  return out
}

interface SourceRepository {
  /** Returns the output of git, or undefined if git fails. */
  ask(args: readonly string[]): Promise<string | undefined>
  /**
   * URL of the repository at the current commit, without the path of a file; undefined if the remote is
   * unknown or lacks the commit.
   */
  base?: string
  /**
   * Path from the top of the repository to the root, with a slash at its end; empty if the root is the top.
   */
  prefix: string
}

async function openRepository(
  root: string,
  run: RunCommand,
  signal: AbortSignal,
): Promise<SourceRepository | undefined> {
  const ask = async (args: readonly string[]) => {
    try {
      const { exit, stdout } = await runHardenedGit(run, root, args, { signal })
      return exit === 0 ? stdout.text.trim() : undefined
    } catch {
      // Facts are optional, so without git some are only missing.
      return undefined
    }
  }
  const prefix = await ask(['rev-parse', '--show-prefix'])
  if (prefix === undefined) return undefined
  const commit = await ask(['rev-parse', 'HEAD'])
  const remote = parseRemote(await ask(['config', '--get', 'remote.origin.url']))
  // A commit that was not pushed has no URL at the remote.
  const refs = ['for-each-ref', '--count=1', '--contains', commit ?? '', 'refs/remotes/origin']
  const isPushed = commit !== undefined && remote !== undefined && Boolean(await ask(refs))
  const base = isPushed ? `${remote.web}${remote.blob}/${commit}/` : undefined
  return { ask, prefix, base }
}

async function describeFile(
  root: string,
  canonical: string,
  repository: SourceRepository | undefined,
  signal: AbortSignal,
): Promise<SourceFacts> {
  const named = { canonical, kind: kindOfSource(canonical), weight: weightOf(canonical) }
  const file = await readWhole(root, canonical)
  if (!file) return named
  const document = documentKindOf(canonical) && (await readDocument(file.real, { signal }))
  const parsedDocument = document && 'blocks' in document ? document : undefined
  const path = ['--', `:(literal)${canonical}`]
  const dated = await repository?.ask(['log', '-1', '--format=%cs', ...path])
  const link = repository?.base && (await linkOf(repository, canonical, file.bytes))
  const title = parsedDocument?.title
  // The date that a document states is preferred, because a commit only says when the file was last changed.
  const date = parsedDocument?.date ?? (dated || undefined)
  return {
    ...named,
    bytes: file.bytes.length,
    // Optional facts come last in the record.
    ...(title !== undefined && { title }),
    ...(date !== undefined && { date }),
    ...(link && { link }),
  }
}

async function readWhole(
  root: string,
  canonical: string,
): Promise<{ real: string; bytes: Buffer } | undefined> {
  try {
    const real = realpathSync(join(root, canonical))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const opened = openPlain(real)
    const { bytes, whole } = await readPrefix(opened, documentLimits.bytes).finally(() =>
      closeSync(opened.fd),
    )
    return whole ? { real, bytes } : undefined
  } catch {
    // The file is missing or cannot be read any more, so it has no further facts.
    return undefined
  }
}

/**
 * Returns the URL of a file at the current commit, if the file equals its committed version. No filters of
 * git run for this.
 */
async function linkOf(
  { ask, base, prefix }: SourceRepository,
  canonical: string,
  bytes: Buffer,
): Promise<string | undefined> {
  const listed = await ask(['ls-tree', 'HEAD', '--', canonical])
  const blob = /^\d+ blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1]
  if (blob === undefined) return undefined
  const hash = createHash(blob.length === 64 ? 'sha256' : 'sha1')
  const contentHash = hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  return contentHash === blob
    ? base + `${prefix}${canonical}`.split('/').map(encodeURIComponent).join('/')
    : undefined
}

const documentNames: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  docx: 'Word document',
  html: 'HTML page',
  epub: 'EPUB book',
  notebook: 'notebook',
  table: 'table',
}
const textNames = { prose: 'text', config: 'configuration', code: 'code', data: 'data' } as const

const kindOfSource = (path: string): string =>
  documentNames[documentKindOf(path) ?? ''] ?? textNames[kindOfFile(path)]

/**
 * Returns the weight of a source by the kind of its file. A file is a test or vendored code if its weight
 * would be higher for a question about tests or vendored code.
 */
function weightOf(path: string): SourceFacts['weight'] {
  const usual = weighFile(path, [])
  if (weighFile(path, ['test']) > usual) return 'test'
  if (weighFile(path, ['vendor']) > usual) return 'vendored'
  return usual < 1 ? 'secondary' : 'primary'
}
