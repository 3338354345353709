// The source files of the project, and the words of their names, as the rule tests look at them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Files below `dir` with the given ending, relative to the root, sorted. */
export function filesBelow(dir: string, ending: string): string[] {
  return readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

export const sources = (): string[] =>
  [...filesBelow('cmd', '.ts'), ...filesBelow('internal', '.ts')].filter((file) => !file.endsWith('.d.ts'))

export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The words of a name in lower case: `openTaskSession` has three, `worker-pool.ts` too. */
export const wordsOfName = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
