// The facts of one command line: its parts, what they may touch, and where its redirections write.
import type { Line, LinePart } from './facts.ts'
import { type Place, resolvePlace } from './path.ts'
import type { Policy, Roots } from './policy.ts'
import { analyze } from './shell/analyze.ts'
import { classify } from './shell/classes.ts'
import { expand } from './shell/expand.ts'
import type { ShellPart } from './shell/part.ts'

/** More places than this are not looked at; the part then belongs to no class. */
const MOST = 1_000

/** Folders that a line may be in after changing directory this often are no longer followed. */
const MOVES = 4

/** Where relative names may start from. `lost` when the line goes where that cannot be told. */
interface Dirs {
  dirs: readonly string[]
  lost: boolean
}

/** Takes a line apart that would run in `cwd` (a real path). */
export async function lineFacts(line: string, cwd: string, policy: Policy): Promise<Line> {
  const analysis = await analyze(line)
  const where = visited(analysis.moves, cwd, policy.roots)
  const writes: Place[] = []
  let blind = false
  for (const name of analysis.parts.flatMap((part) => part.writes)) {
    if (name === undefined || (where.lost && !name.startsWith('/'))) blind = true
    if (name === undefined) continue
    for (const dir of where.dirs) writes.push(resolvePlace(dir, policy.roots, quoted(name)))
  }
  const wanted = wantsNames(policy)
  const parts = analysis.parts.map((part) => ({
    ...judgeable(part, where, policy.roots),
    names: wanted ? named(part, where, policy.roots) : [],
  }))
  return { line, parts, opaque: analysis.opaque, writes, blind }
}

/** Every folder that the line may be in, the first one included: it is not told which commands succeed. */
function visited(moves: readonly (string | undefined)[], cwd: string, roots: Roots): Dirs {
  const dirs = [cwd]
  let lost = moves.length > MOVES
  for (const move of moves.slice(0, MOVES)) {
    if (move === undefined) lost = true
    else for (const dir of [...dirs]) dirs.push(resolvePlace(dir, roots, quoted(move)).real)
  }
  return { dirs: [...new Set(dirs)], lost }
}

/** Whether any policy forbids paths, or has folders that are never written. */
function wantsNames(policy: Policy): boolean {
  return (
    policy.roots.protected.length > 0 ||
    policy.rules.some((rule) => rule.path !== undefined && rule.action !== 'allow') ||
    policy.parents.some(wantsNames)
  )
}

/** The places that words may name: operands, values behind `=`, files that are read. Only the first thousand. */
function named(part: ShellPart, where: Dirs, roots: Roots): Place[] {
  const words = part.words.slice(0, MOST).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  const texts = new Set([...words, ...part.reads].filter((text) => /^[^-]/.test(text) && text.length < 1_024))
  return where.dirs.flatMap((dir) =>
    [...texts].slice(0, MOST).map((text) => resolvePlace(dir, roots, quoted(text))),
  )
}

function judgeable(part: ShellPart, where: Dirs, roots: Roots): Omit<LinePart, 'names'> {
  const found = classify(part)
  const none = { ...part, class: undefined, touches: [], git: false }
  if (!found || where.lost) return none
  const touches = new Map<string, Place>()
  const globs = new Set(part.globs.map((i) => part.words[i] as string))
  for (const dir of where.dirs) {
    touches.set(dir, resolvePlace(dir, roots, '.'))
    for (const file of found.files) {
      const names = globs.has(file) ? expand(file, dir) : [file]
      if (!names || touches.size + names.length > MOST) return none
      for (const name of names) touches.set(`${dir}\0${name}`, resolvePlace(dir, roots, quoted(name)))
    }
  }
  // a glob inside of an option was not looked at
  if ([...globs].some((glob) => !found.files.includes(glob))) return none
  return { ...part, class: found.class, touches: [...touches.values()], git: found.git }
}

/** The analysis has replaced `~` where the shell does; where it still stands it is the name of a file. */
function quoted(name: string): string {
  return name.startsWith('~') ? `./${name}` : name
}
