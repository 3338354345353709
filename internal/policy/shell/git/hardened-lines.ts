// The check for command lines that only read. They can run with settings under which git starts
// no other programs.
import { resolve } from 'node:path'
import { type CommandClass, classifyPart } from '../command-classes.ts'
import { analyzeLine, type KnownPlaces } from '../line-analysis.ts'

/**
 * Largest number of directory changes in a line; with more, the line is not accepted. Equal to the
 * limit in line-facts.ts.
 */
const maxMoves = 4

/**
 * Returns true if a line whose parts have these classes only reads or prints versions. It can then run with
 * settings under which git starts no programs.
 */
export function runsHardened(classes: readonly (CommandClass['class'] | undefined)[]): boolean {
  return classes.every((one) => one === 'reading' || one === 'version')
}

/**
 * Returns the directories in which git may run. The line must run git, only read or print versions, and
 * change only to known directories, at most four times; otherwise undefined. Mode `auto` may allow such a
 * line without approval, so the caller must keep git from starting programs.
 */
export async function foldersOfGit(
  line: string,
  cwd: string,
  places: KnownPlaces,
): Promise<string[] | undefined> {
  const { parts, opaque, moves } = await analyzeLine(line, places)
  const classes = parts.map(classifyPart)
  const reads = opaque === undefined && runsHardened(classes.map((one) => one?.class))
  if (!reads || !classes.some((one) => one?.git) || moves.length > maxMoves) return undefined
  const folders = [cwd]
  for (const move of moves) {
    if (move === undefined) return undefined
    folders.push(...folders.map((dir) => resolve(dir, move)))
  }
  return [...new Set(folders)]
}
