// Content that a command sees in files with secret names: the content in git's index, or nothing.
import { createHash } from 'node:crypto'
import {
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { inFile } from '../base/files/pinned-directory.ts'
import { runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'
import { realOf } from './git-places.ts'
import { type IndexMemory, layoutAt, objectOf, readRepositoryIndex } from './repository-index.ts'

/**
 * Largest size in bytes of a file that is compared with git's index. Of a larger tracked file, the command
 * sees the content in the index, or an empty file if git cannot print that content.
 */
const maxBytes = 16 << 20

/**
 * How a command sees one file: `same` as it is, `index` with the content in git's index, or `empty`. `source`
 * is the file that is shown in its place; undefined if the file itself is shown.
 */
interface SecretView {
  path: string
  how: 'same' | 'index' | 'empty'
  source: string | undefined
}

/** Git's hashes of file contents, by path. A hash counts while size and times of the file stay the same. */
export type ContentMemory = Map<string, { state: string; object: string }>

interface ViewContext {
  /** Directory for files that are shown in place of others. Commands do not see it. */
  directory: string
  run: RunCommand | undefined
  indexes: IndexMemory
  contents: ContentMemory
}

export function viewSecrets(paths: readonly string[], context: ViewContext): Promise<SecretView[]> {
  return Promise.all(paths.map((path) => viewSecret(path, context)))
}

async function viewSecret(path: string, context: ViewContext): Promise<SecretView> {
  const index = readRepositoryIndex(dirname(path), context.indexes)
  const entry = index?.entries?.get(path)
  if (index && entry && entry.mode >>> 12 === 0o10) {
    const object = objectOf(index.bytes, entry)
    if (hashOf(path, entry.length, context.contents) === object)
      return { path, how: 'same', source: undefined }
    const isProgram = (entry.mode & 0o100) !== 0
    const source = await storeObject({ object, isProgram }, index.layout.top, context)
    if (source !== undefined) return { path, how: 'index', source }
  }
  return { path, how: 'empty', source: emptyFile(context.directory) }
}

/**
 * Returns an empty file to show in place of each of `paths`, which are files that rules forbid, and copies of
 * git's indexes to show in place of the indexes. The copies mark these paths as unchanged, so that git does
 * not report them as changed.
 */
export function coverFiles(
  paths: readonly string[],
  { directory, indexes }: ViewContext,
): Record<'shown' | 'index', { path: string; source: string }[]> {
  const source = paths.length > 0 ? emptyFile(directory) : ''
  const flags = new Map<string, { bytes: Buffer; at: number[]; length: number }>()
  for (const path of paths) {
    const index = readRepositoryIndex(dirname(path), indexes)
    const entry = index?.entries?.get(path)
    if (!index || !entry) continue
    const file = realOf(join(index.layout.gitDir, 'index'))
    if (file === undefined) continue
    const indexMarks = flags.get(file) ?? { bytes: index.bytes, at: [], length: entry.length }
    flags.set(file, { ...indexMarks, at: [...indexMarks.at, entry.at + entry.length] })
  }
  return {
    shown: paths.map((path) => ({ path, source })),
    index: [...flags].map(([path, { bytes, at, length }]) => {
      const marked = Buffer.from(bytes)
      for (const place of at) marked[place] = (marked[place] ?? 0) | assumedUnchanged
      const end = marked.length - length
      // If the checksum of the index consists of zeros, git has written it without a checksum, so
      // it stays zero.
      if (marked.subarray(end).some((byte) => byte !== 0))
        createHash(length === 32 ? 'sha256' : 'sha1')
          .update(marked.subarray(0, end))
          .digest()
          .copy(marked, end)
      const copy = join(directory, `index.${createHash('sha1').update(marked).digest('hex')}`)
      if (!existsSync(copy)) writeFileSync(copy, marked, { mode: 0o600 })
      return { path, source: copy }
    }),
  }
}

/** Bit of an index entry with which git assumes that the file is unchanged. */
const assumedUnchanged = 0x80

/**
 * Returns true if git's index lists files below a directory, or if it does not list all names. Returns false
 * without an index that can be read.
 */
export function hasTrackedFiles(dir: string, indexes: IndexMemory): boolean {
  const index = readRepositoryIndex(dir, indexes)
  if (!index) return false
  if (!index.entries) return true
  for (const path of index.entries.keys()) if (path.startsWith(`${dir}/`)) return true
  return false
}

/**
 * Returns git's hash of the content of a file; undefined if the file cannot be read or has
 * more than `maxBytes`.
 */
function hashOf(path: string, length: number, memory: ContentMemory): string | undefined {
  try {
    return inFile(path, constants.O_RDONLY, (fd) => {
      const { ino, size, mtimeMs, ctimeMs } = fstatSync(fd)
      if (size > maxBytes) return undefined
      const state = [ino, size, mtimeMs, ctimeMs, length].join()
      const cacheEntry = memory.get(path)
      if (cacheEntry?.state === state) return cacheEntry.object
      const bytes = readFileSync(fd)
      const hash = createHash(length === 32 ? 'sha256' : 'sha1')
      const object = hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
      // The hash of a file that changed just now is not cached, because a further change may get
      // the same time.
      if (Date.now() - ctimeMs > 100) memory.set(path, { state, object })
      return object
    })
  } catch {
    return undefined
  }
}

/**
 * Writes the content of a git object to a file, which the sandbox shows in place of another one. Returns its
 * path; undefined if git cannot print the object.
 */
async function storeObject(
  { object, isProgram }: { object: string; isProgram: boolean },
  top: string,
  { directory, run }: ViewContext,
): Promise<string | undefined> {
  const path = join(directory, `shown.${object}${isProgram ? '.x' : ''}`)
  if (existsSync(path)) return path
  const chunks: Uint8Array[] = []
  const onOutput = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => {
    if (stream === 'stdout') chunks.push(chunk.slice())
  }
  const args = ['cat-file', 'blob', object]
  try {
    const done = run && (await runHardenedGit((one) => run({ ...one, onOutput }), top, args))
    if (done?.exit !== 0) return undefined
  } catch {
    // Without the content in the index, the command sees an empty file.
    return undefined
  }
  writeFileSync(path, Buffer.concat(chunks), { mode: isProgram ? 0o700 : 0o600 })
  return path
}

function emptyFile(directory: string): string {
  const path = join(directory, 'shown.empty')
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 })
  return path
}

/**
 * Returns copies of the `info` directories of repositories, to show in place of the originals. Their exclude
 * patterns prevent that `git add` adds the paths in `hidden`.
 */
export function writeExcludes(
  hidden: readonly string[],
  directory: string,
  number: number,
): { path: string; source: string }[] {
  const byInfo = new Map<string, string[]>()
  for (const path of hidden) {
    const layout = layoutAt(dirname(path))
    const info = layout && realOf(join(layout.commonDir, 'info'))
    if (!info) continue
    byInfo.set(info, [...(byInfo.get(info) ?? []), escapePattern(path.slice(layout.top.length))])
  }
  return [...byInfo].map(([path, patterns], i) => {
    const source = join(directory, `info.${number}.${i}`)
    mkdirSync(source, { mode: 0o700 })
    for (const name of readdirSync(path)) {
      const bytes = inFile(join(path, name), constants.O_RDONLY, (fd) => readFileSync(fd))
      if (bytes) writeFileSync(join(source, name), bytes)
    }
    const exclude = join(source, 'exclude')
    const before = existsSync(exclude) ? readFileSync(exclude) : Buffer.alloc(0)
    writeFileSync(exclude, Buffer.concat([before, Buffer.from(`\n${patterns.join('\n')}\n`)]))
    return { path, source }
  })
}

/**
 * Returns a pattern that matches only this path, counted from the top of the checkout. A line break in the
 * path matches any character.
 */
const escapePattern = (path: string) =>
  path.replace(/[\\*?[\]#! \n]/g, (one) => (one === '\n' ? '?' : `\\${one}`))
