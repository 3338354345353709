// Which lines run in an environment that lets git start nothing: those that are judged to only read.
import { resolve } from 'node:path'
import { type CommandClass, classifyPart } from '../command-classes.ts'
import { analyzeLine, type KnownPlaces } from '../line-analysis.ts'

/** As many changes of directory as the gate follows. */
const maxMoves = 4

/** Whether a line of such parts minds nothing that keeps git from starting programs. */
export function runsHardened(classes: readonly (CommandClass['class'] | undefined)[]): boolean {
  return classes.every((one) => one === 'reading' || one === 'version')
}

/**
 * The folders in which git may run for a line that runs hardened, git among its parts; undefined for any
 * other line. Such a line runs unasked because git starts nothing there, so whoever runs it must see to that;
 * any other line is as a person or a rule allowed it.
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
