// Files of a workspace that change what Anode does, such as configuration and profiles, with their digest.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { createSha256 } from '../base/fingerprint.ts'
import { isWithin } from '../policy/paths/path-jail.ts'
import { findNamedFiles } from './named-files.ts'
import { findToolModules } from './tool-modules.ts'

/**
 * Paths, relative to a workspace's root, of files and directories that can start programs, add servers
 * or change rules.
 */
export const suppliedNames: readonly string[] = [
  ...['.agents', '.anode', '.claude/agents', '.claude/commands', '.claude/skills'],
  ...['.lsp.json', '.mcp.json', 'anode.json'],
  // In a trusted workspace, language servers at these paths are started.
  'node_modules/.bin/bash-language-server',
  'node_modules/.bin/clangd',
  'node_modules/.bin/gopls',
  'node_modules/.bin/pyright-langserver',
  'node_modules/.bin/rust-analyzer',
  'node_modules/.bin/typescript-language-server',
  'node_modules/.bin/vscode-json-language-server',
]

export interface SuppliedFiles {
  /**
   * SHA-256 of each file by its path relative to the workspace, sorted. A link has its target before the
   * hash. A file that is not hashed has its kind in place of the hash, such as `special` or `outside`.
   */
  files: { [name: string]: string }
  /** SHA-256 over the names and hashes of all files; undefined without files. */
  digest: string | undefined
}

/**
 * Largest number of supplied files and directories, and their largest total size in bytes. More are an error,
 * because a user cannot have reviewed so many.
 */
const maxSupplied = { entries: 5_000, bytes: 64 << 20 }

interface FileScan {
  root: string
  files: Map<string, string>
  entries: number
  bytes: number
}

/**
 * Lists and hashes the files that need trust. Without any of them, it only checks whether each exists and
 * lists `tools`. Throws UserError for an unreadable file, and if the files are too many or too large.
 */
export function readSuppliedFiles(root: string): SuppliedFiles {
  const work: FileScan = { root, files: new Map(), entries: 0, bytes: 0 }
  for (const name of suppliedNames) if (kindOf(join(root, name)) !== 'none') addEntry(name, work)
  for (const name of findToolModules(root)) addEntry(`tools/${name}`, work)
  for (const name of [...work.files.keys()]) {
    if (!/(\.jsonc?|(^|\/)SKILL\.md)$/.test(name)) continue
    const text = textOf(join(work.root, name))
    for (const path of text === undefined ? [] : findNamedFiles(root, name, text))
      if (!work.files.has(path)) addEntry(path, work)
  }
  const files = [...work.files].sort(([a], [b]) => (a < b ? -1 : 1))
  if (files.length === 0) return { files: {}, digest: undefined }
  const hash = createSha256()
  // A name has its length before it, and a value is one line, so other files cannot give the same digest.
  for (const [name, value] of files) hash.update(`${Buffer.byteLength(name)}:${name}=${value}\n`)
  return { files: Object.fromEntries(files), digest: hash.digest('hex') }
}

/** Returns the target of a link in one line. */
const escapeLines = (target: string) =>
  target.replaceAll(/[\\\n]/g, (char) => (char === '\n' ? '\\n' : '\\\\'))

function addEntry(name: string, work: FileScan): void {
  const path = join(work.root, name)
  if (++work.entries > maxSupplied.entries) throw tooMuch(work, `more than ${maxSupplied.entries} entries`)
  try {
    let kind = kindOf(path)
    let value = ''
    if (kind === 'link') {
      // Trust covers the target path of a link and also the target's content.
      value = `link ${escapeLines(readlinkSync(path))} `
      kind = kindOf(path, true)
      // A file outside the workspace does not belong to it and may change independently, so its content
      // is not hashed.
      if (kind !== 'none' && !isWithin(realpathSync.native(path), work.root)) kind = 'outside'
    }
    if (kind === 'file') work.files.set(name, value + hashFile(path, work))
    else if (kind !== 'folder') work.files.set(name, value + kind)
    else {
      if (value !== '') work.files.set(name, value + kind)
      for (const entry of readdirSync(path)) addEntry(`${name}/${entry}`, work)
    }
  } catch (cause) {
    const code = codeOf(cause)
    if (code === undefined) throw cause
    throw new UserError(`${path} cannot be read (${code}), so the workspace cannot be trusted`, { cause })
  }
}

type EntryKind = 'none' | 'folder' | 'file' | 'link' | 'special' | 'outside'

function kindOf(path: string, follow = false): EntryKind {
  const stat = follow ? statSync(path, { throwIfNoEntry: false }) : lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return 'none'
  if (stat.isSymbolicLink()) return 'link'
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'special'
}

function hashFile(path: string, work: FileScan): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return 'special'
    if (stat.size > maxSupplied.bytes) throw tooMuch(work, `more than ${maxSupplied.bytes >> 20} MiB`)
    const hash = createSha256()
    const chunk = Buffer.alloc(1 << 16)
    for (let n = readSync(fd, chunk); n > 0; n = readSync(fd, chunk)) {
      work.bytes += n
      if (work.bytes > maxSupplied.bytes) throw tooMuch(work, `more than ${maxSupplied.bytes >> 20} MiB`)
      hash.update(chunk.subarray(0, n))
    }
    return hash.digest('hex')
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns the text of a file that may contain command lines. Undefined if it is missing, not a regular UTF-8
 * file, or larger than 1 MiB, because no reader accepts it then.
 */
function textOf(path: string): string | undefined {
  try {
    return readSmall(path)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}

function tooMuch(work: FileScan, what: string): UserError {
  return new UserError(`${work.root} brings along ${what} under ${suppliedNames.join(', ')}`, {
    hint: 'remove what does not belong there; until then the workspace is not trusted',
  })
}
