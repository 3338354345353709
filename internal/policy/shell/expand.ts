// What a simple glob on a command line would become, for judging the files that it names.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { wild } from '../glob.ts'

/**
 * The names that `word` stands for in `dir`, or undefined when that is not sure: globs in more than the last part,
 * brackets, folders that cannot be listed or are very large, and names that a program would take for options.
 */
export function expand(word: string, dir: string): string[] | undefined {
  const cut = word.lastIndexOf('/')
  const folder = word.slice(0, cut + 1)
  const pattern = word.slice(cut + 1)
  if (/[*?[\]]/.test(folder) || /[[\]\\]/.test(pattern)) return undefined
  try {
    const names = readdirSync(folder.startsWith('/') ? folder : join(dir, folder))
    if (names.length > 10_000) return undefined
    const fitting = names.filter(
      (name) => (pattern.startsWith('.') || !name.startsWith('.')) && wild(pattern, name),
    )
    if (folder === '' && fitting.some((name) => name.startsWith('-'))) return undefined
    return fitting.map((name) => folder + name)
  } catch {
    // what cannot be listed cannot be judged
    return undefined
  }
}
