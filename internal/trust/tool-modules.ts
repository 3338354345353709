// Modules in the directory `tools/` of a workspace that define tools. Some toolsets load them, so
// trust covers them.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'

/** Largest size of a module in bytes. Real modules are smaller. */
const maxModuleBytes = 1 << 20

/**
 * Returns the sorted names of the modules in `tools/` that define tools. Only these files are ever loaded:
 * `.js` or `.mjs`, at most 1 MiB, with the words `input_schema` and `execute`.
 */
export function findToolModules(root: string): string[] {
  const dir = join(root, 'tools')
  const entries = readEntries(dir).filter((one) => /\.m?js$/.test(one.name) && one.isFile())
  return entries.flatMap(({ name }) => (definesTool(join(dir, name)) ? [name] : [])).sort()
}

function readEntries(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

function definesTool(path: string): boolean {
  try {
    if (statSync(path).size > maxModuleBytes) return false
    const text = readFileSync(path, 'utf8')
    return text.includes('input_schema') && text.includes('execute')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}
