// What the build made ready: JSON files beside the bundle. From sources there are none, and callers compute.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../errors.ts'

/** The parsed file of that name in dist/, or undefined when this runs from sources. */
export function readPrebuilt(name: string): unknown {
  const here = import.meta.dirname
  // most often this runs from a chunk, which lies one folder below
  for (const dir of [dirname(here), here]) {
    try {
      return JSON.parse(readFileSync(join(dir, name), 'utf8'))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return undefined
}
