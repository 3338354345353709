// The files that a build has made, stored so that a later comparison of the same tree needs no build.
import { lstatSync, lutimesSync, rmSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { type FolderFootprint, takeStrictFootprint } from '../workspace/folder-footprint.ts'
import { commandWords } from '../workspace/integrity-lock.ts'

/** The stored files of one build. */
export interface BuiltFiles {
  /** Changes the checkout to its state after the build. Returns false if no files are stored. */
  restore(dir: string): Promise<boolean>
  /**
   * Stores what the build has changed since `bare`, the state before the build. Stores nothing, without an
   * error, if that fails or the files exceed the limit: a later build is then slower.
   */
  store(dir: string, bare: FolderFootprint): Promise<void>
}

interface BuildManifest {
  /** Paths of the changed files, oldest first. Files with equal times are in one group. */
  made: string[][]
  folders: string[]
  removed: string[]
  bytes: number
}

/** Largest size of all stored builds of a session, in bytes. */
const maxBuiltBytes = 2 * 1024 ** 3

/**
 * Opens the stored files of a build. `parts` identifies the build: equal parts mean the same files. `parent`
 * is the directory of all builds. It is in the session's directory, which no command can read.
 */
export function openBuiltFiles(parent: string, parts: unknown, limit = maxBuiltBytes): BuiltFiles {
  const folder = join(parent, fingerprint(JSON.stringify(parts)))
  const files = join(folder, 'files')
  return {
    async restore(dir) {
      const manifest = await readManifest(folder)
      if (!manifest) return false
      for (const path of manifest.removed) rmSync(join(dir, path), { recursive: true, force: true })
      for (const path of manifest.folders) await mkdir(join(dir, path), { recursive: true })
      const paths = manifest.made.flat()
      for (const path of paths) await copyFile(join(files, path), join(dir, path))
      setTimes(dir, manifest.made)
      const now = new Date()
      await utimes(join(folder, 'manifest.json'), now, now)
      return true
    },
    async store(dir, bare) {
      const temporary = `${folder}.new`
      try {
        await rm(temporary, { recursive: true, force: true })
        const manifest = readChanges(dir, bare)
        if (manifest.bytes > limit) return
        await mkdir(temporary, { recursive: true, mode: 0o700 })
        for (const path of manifest.made.flat())
          await copyFile(join(dir, path), join(temporary, 'files', path))
        await writeFile(join(temporary, 'manifest.json'), JSON.stringify(manifest))
        await rm(folder, { recursive: true, force: true })
        await rename(temporary, folder)
        await removeOldest(parent, limit)
      } catch {
        await rm(temporary, { recursive: true, force: true })
      }
    },
  }
}

async function readManifest(folder: string): Promise<BuildManifest | undefined> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(ignoreCodes('ENOENT'))
  return text === undefined ? undefined : (JSON.parse(text) as BuildManifest)
}

function readChanges(dir: string, bare: FolderFootprint): BuildManifest {
  const { signs } = takeStrictFootprint(dir)
  const changed = [...signs].filter(([path, sign]) => path !== '' && bare.get(path) !== sign)
  const isFolder = (sign: string) => sign.startsWith('d')
  const changedFiles = changed.filter(([, sign]) => !isFolder(sign)).map(([path]) => path)
  const groups = new Map<bigint, string[]>()
  let bytes = 0
  for (const path of changedFiles) {
    const { mtimeNs, size } = lstatSync(join(dir, path), { bigint: true })
    groups.set(mtimeNs, [...(groups.get(mtimeNs) ?? []), path])
    bytes += Number(size)
  }
  const times = [...groups.keys()].sort((a, b) => (a < b ? -1 : 1))
  return {
    made: times.map((time) => groups.get(time) ?? []),
    folders: changed.filter(([path, sign]) => isFolder(sign) && !bare.has(path)).map(([path]) => path),
    removed: [...bare.keys()].filter((path) => !signs.has(path)),
    bytes,
  }
}

/**
 * Seconds between the times of two groups of files. The first group gets the current time. The step is so
 * small that even many groups get times only milliseconds later.
 */
const step = 0.000_01

/**
 * Gives the restored files new times in the order of the build. With their old times a build tool would build
 * them again, because the sources of a fresh checkout are newer.
 */
function setTimes(dir: string, groups: readonly (readonly string[])[]): void {
  const now = Date.now() / 1000
  for (const [i, paths] of groups.entries())
    for (const path of paths) lutimesSync(join(dir, path), now, now + i * step)
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  await cp(from, to, { verbatimSymlinks: true })
}

/**
 * Removes the stored builds that were not used for the longest time, until the others fit into `limit` bytes.
 */
async function removeOldest(parent: string, limit: number): Promise<void> {
  const names = await readdir(parent)
  const builds: { folder: string; used: number; bytes: number }[] = []
  for (const name of names) {
    const folder = join(parent, name)
    const manifest = await readManifest(folder)
    const usedAt = manifest ? statSync(join(folder, 'manifest.json')).mtimeMs : 0
    builds.push({ folder, used: usedAt, bytes: manifest?.bytes ?? 0 })
  }
  let sum = 0
  for (const { folder, bytes } of builds.sort((a, b) => b.used - a.used)) {
    sum += bytes
    if (sum > limit) await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the identities of the programs that a command uses: path, size and time of each one
 * that PATH finds.
 */
export async function toolVersions(command: string, path: string): Promise<string[]> {
  const identities: string[] = []
  for (const word of new Set(commandWords(command)))
    for (const folder of path.split(':')) {
      const real = await realpath(join(folder, word)).catch(() => undefined)
      const stat = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false })
      if (!stat?.isFile()) continue
      identities.push(`${real} ${stat.size} ${stat.mtimeMs}`)
      break
    }
  return identities
}
