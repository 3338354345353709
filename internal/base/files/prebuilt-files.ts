// JSON files that the build creates next to the bundle. Sources have none, so callers compute the content.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../errors.ts'

/** Returns the parsed file of that name in dist/, or undefined if the program runs from sources. */
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
