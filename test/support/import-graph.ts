// Which file imports which, statically, lazily or for types alone, as the rule tests look at it.
import { dirname, join, relative } from 'node:path'
import { read, root } from './sources.ts'

const known = new Map<string, readonly string[]>()

const specifiers = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(\.{1,2}\/[^']+\.(?:ts|mjs))'/gm

function targetsIn(file: string, text: string): string[] {
  const found = [...text.matchAll(specifiers)].map((match) =>
    relative(root, join(root, dirname(file), match[1] as string)),
  )
  return [...new Set(found)]
}

/** Returns the files of the project that a file imports, including lazy imports and those of types. */
export function importsOf(file: string): readonly string[] {
  const before = known.get(file)
  if (before) return before
  const targets = targetsIn(file, read(file))
  known.set(file, targets)
  return targets
}

/** An import of types alone: none of its names is there when the program runs. */
const typeImport = /^import (?:type [^;]*?|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}) from '[^']+'$/gm

/** Those of `importsOf` that may be entered when the program runs. */
export const runtimeImportsOf = (file: string): readonly string[] =>
  targetsIn(file, read(file).replace(typeImport, ''))

/** Returns all files that a file reaches, itself included. `also` adds edges that no import shows. */
export function reachedFrom(
  file: string,
  isPresent: (file: string) => boolean,
  also: (file: string) => readonly string[] = () => [],
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next) || !isPresent(next)) continue
    reached.add(next)
    open.push(...importsOf(next), ...also(next))
  }
  return reached
}

/**
 * Groups of files that import each other in a circle, each sorted, the largest first: the strongly connected
 * components of more than one file (R. Tarjan, Depth-first search and linear graph algorithms, 1972).
 */
export function findKnots(
  files: readonly string[],
  targets: (file: string) => readonly string[] = importsOf,
): string[][] {
  const within = new Set(files)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const pending = new Set<string>()
  const knots: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file) as number)
    stack.push(file)
    pending.add(file)
    for (const target of targets(file)) {
      if (!within.has(target)) continue
      if (!index.has(target)) visit(target)
      if (pending.has(target)) low.set(file, Math.min(low.get(file) as number, low.get(target) as number))
    }
    if (low.get(file) !== index.get(file)) return
    const knot = stack.splice(stack.indexOf(file))
    for (const one of knot) pending.delete(one)
    if (knot.length > 1) knots.push(knot.sort())
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return knots.sort((a, b) => b.length - a.length || ((a[0] as string) < (b[0] as string) ? -1 : 1))
}
