// Where the profiles and skills that ship with Anode are found, from sources and from the bundle alike.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One of the two: `json` was made by the build, `dir` is the folder in the sources. */
interface Builtin {
  json: string | undefined
  dir: string
}

/**
 * Looks for `<kind>.json` beside the running file or above it, then for the folder `<kind>` in the package
 * root. `dir` is the folder in either case: it also holds the files that belong to a skill. `from` is the
 * running file's URL; most often it is this one.
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
