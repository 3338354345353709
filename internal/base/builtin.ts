// Files that ship with Anode: the location of profiles and skills, for sources and for the bundle, and JSON
// files that the build creates. Sources have no such JSON files, so callers compute the content.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf } from './errors.ts'

/**
 * The location of all files of one kind, such as profiles: `json` is one built file, `dir` the directory
 * of the sources.
 */
interface BuiltinLocation {
  json: string | undefined
  dir: string
}

/**
 * Finds `<kind>.json` next to the running file or above it, otherwise the directory `<kind>` in the package
 * root. `dir` is the directory in either case, because it also contains the files of a skill. `from` is the
 * running file's URL; default: this file. Throws Error if no directory above it has a package.json.
 */
export function findBuiltin(kind: string, from?: string): BuiltinLocation {
  let json: string | undefined
  const start = from === undefined ? import.meta.dirname : dirname(fileURLToPath(from))
  for (let dir = start; ; dir = dirname(dir)) {
    const candidate = join(dir, `${kind}.json`)
    if (json === undefined && existsSync(candidate)) json = candidate
    if (existsSync(join(dir, 'package.json'))) return { json, dir: join(dir, kind) }
    if (dir === dirname(dir)) throw new Error(`no package.json above ${start}`)
  }
}

/**
 * Returns the parsed JSON file of that name in dist/; undefined if the file does not exist, as when the
 * program runs from sources.
 */
export function readPrebuilt(name: string): unknown {
  const here = import.meta.dirname
  // this code usually runs from a chunk of the bundle, which is one directory below the file
  for (const dir of [dirname(here), here]) {
    try {
      return JSON.parse(readFileSync(join(dir, name), 'utf8'))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return undefined
}
