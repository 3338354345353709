// The location of the profiles and skills that ship with Anode, for sources and for the bundle.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The location of all files of one kind, such as profiles: `json` is one built file, `dir` the directory
 * of the sources.
 */
interface Builtin {
  json: string | undefined
  dir: string
}

/**
 * Finds `<kind>.json` next to the running file or above it, otherwise the directory `<kind>` in the package
 * root. `dir` is the directory in either case, because it also contains the files of a skill. `from` is the
 * running file's URL. Default: this file.
 */
export function findBuiltin(kind: string, from?: string): Builtin {
  let json: string | undefined
  const start = from === undefined ? import.meta.dirname : dirname(fileURLToPath(from))
  for (let dir = start; ; dir = dirname(dir)) {
    const candidate = join(dir, `${kind}.json`)
    if (json === undefined && existsSync(candidate)) json = candidate
    if (existsSync(join(dir, 'package.json'))) return { json, dir: join(dir, kind) }
    if (dir === dirname(dir)) throw new Error(`no package.json above ${start}`)
  }
}
