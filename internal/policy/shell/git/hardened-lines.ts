// The command lines that run in an environment in which git starts no programs: those that only read.
import { resolve } from 'node:path'
import { type CommandClass, classifyPart } from '../command-classes.ts'
import { analyzeLine, type KnownPlaces } from '../line-analysis.ts'

/** Largest number of directory changes, as in the decision on the line. */
const maxMoves = 4

/** Returns true if a line of such parts works in an environment in which git starts no programs. */
export function runsHardened(classes: readonly (CommandClass['class'] | undefined)[]): boolean {
  return classes.every((one) => one === 'reading' || one === 'version')
}

/**
 * Returns the directories in which git may run, if the line contains git and only reads; otherwise undefined.
 * Such a line needs no approval because git starts nothing, so the caller has to ensure that. Any other line
 * runs because a user or a rule allowed it.
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
