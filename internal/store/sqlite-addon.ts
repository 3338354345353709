// Loading of the native SQLite, if that of Node is missing or too old: where its file is, and how
// it is unpacked.
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { cacheDir } from '../base/dirs.ts'
import { messageOf, UserError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'

/**
 * Loads the native module and returns its exports, which have the classes of `node:sqlite`. Throws UserError
 * if Anode brings none for this machine, or if a compressed one can be neither unpacked nor loaded. An
 * unpacked one that cannot be loaded causes the error of `require`.
 */
export function loadSqliteAddon(from: string = import.meta.url): unknown {
  const require = createRequire(from)
  const built = findBuilt(dirname(fileURLToPath(from)))
  if (built === undefined) return loadInstalled(require)
  if (!built.endsWith(packed)) return require(built)
  return loadUnpacked(built, require)
}

const packed = '.br'

/** Returns the end of the file name for this machine, as in `linux-x64-glibc.node`. */
export function addonTarget(): string {
  const { platform, arch } = process
  return `${platform}-${arch}${platform === 'linux' ? (usesMusl() ? '-musl' : '-glibc') : ''}.node`
}

/** Returns whether Node uses the C library musl. The header of its program names the loader. */
function usesMusl(): boolean {
  const fd = openSync(process.execPath, 'r')
  try {
    const head = Buffer.alloc(2048)
    readSync(fd, head)
    return head.includes('/ld-musl-')
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns the built file for this machine; undefined if the directory `sqlite` for built files is missing. If
 * an unpacked and a compressed one exist, returns the unpacked one. Throws UserError if the directory has no
 * file for this machine.
 */
function findBuilt(here: string): string | undefined {
  const folder = [here, dirname(here)].map((dir) => join(dir, 'sqlite')).find(existsSync)
  if (folder === undefined) return undefined
  const target = addonTarget()
  const names = readdirSync(folder).sort()
  const name =
    names.find((file) => file.endsWith(target)) ?? names.find((file) => file.endsWith(target + packed))
  if (name === undefined) throw makeMissingError()
  return join(folder, name)
}

/** Loads the module from the installed packages of a clone, for a program that runs from its sources. */
function loadInstalled(require: NodeJS.Require): unknown {
  try {
    const root = dirname(require.resolve('@photostructure/sqlite/package.json'))
    const [platform, arch, library = 'glibc'] = addonTarget()
      .replace(/\.node$/, '')
      .split('-')
    return require(join(root, 'prebuilds', `${platform}-${arch}`, `@photostructure+sqlite.${library}.node`))
  } catch (error) {
    throw makeMissingError(error)
  }
}

/**
 * Loads a compressed module from the cache directory and unpacks it there first if it is missing. If the
 * cache directory cannot be used, the module is unpacked into a temporary directory, which is removed.
 */
function loadUnpacked(archive: string, require: NodeJS.Require): unknown {
  const name = archive.slice(dirname(archive).length + 1, -packed.length)
  const folder = join(cacheDir(), 'sqlite')
  const file = join(folder, name)
  for (const isDamaged of [false, true]) {
    try {
      if (isDamaged || !isOwnFile(file)) {
        makeDirectory(folder, 0o700)
        unpackAddon(archive, file)
      }
      return require(file)
    } catch {
      // the file is damaged, or the file system is read-only, full, or runs no programs
    }
  }
  return loadTemporary(archive, name, require)
}

function loadTemporary(archive: string, name: string, require: NodeJS.Require): unknown {
  let folder: string | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), 'anode-sqlite-'))
    unpackAddon(archive, join(folder, name))
    return require(join(folder, name))
  } catch (error) {
    throw new UserError(`SQLite cannot be loaded: ${messageOf(error)}`, {
      hint: 'Make the cache directory (XDG_CACHE_HOME) or TMPDIR writable, or use Node 22.16 or later.',
      cause: error,
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds after which a temporary file counts as left by a process that was killed. */
const maxWriteMs = 60_000

/**
 * Writes the module under a temporary name and then renames it, so that a killed process never leaves
 * an incomplete module.
 */
function unpackAddon(archive: string, file: string): void {
  const bytes = brotliDecompressSync(readFileSync(archive))
  removeTemporary(dirname(file))
  const temporary = `${file}.${process.pid}.${Date.now()}`
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o500 })
    const fd = openSync(temporary, 'r')
    fsyncSync(fd)
    closeSync(fd)
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function removeTemporary(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = /\.node\.\d+\.\d+$/.test(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    if (stats && Date.now() - stats.mtimeMs > maxWriteMs) rmSync(path, { force: true })
  }
}

/** Returns whether the file exists and only this user or root can have written it. */
function isOwnFile(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) return false
  const owners = [0, process.getuid?.() ?? 0]
  return owners.includes(stats.uid) && (stats.mode & 0o022) === 0
}

function makeMissingError(cause?: unknown): UserError {
  const machine = addonTarget().replace(/\.node$/, '')
  return new UserError(`this Node has no SQLite, and Anode has none for ${machine}`, {
    hint: 'Use Node 22.16 or later.',
    cause,
  })
}
