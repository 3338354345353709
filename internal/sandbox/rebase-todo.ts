// Steps of an unfinished rebase or cherry-pick that start programs.
import { constants, ftruncateSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { inFile } from '../base/files/pinned-directory.ts'

const todoNames = ['rebase-merge/git-rebase-todo', 'rebase-merge/git-rebase-todo.backup', 'sequencer/todo']

/** Steps that start programs, by the path of the file that contains them. */
export type TodoLists = ReadonlyMap<string, readonly string[]>

/**
 * Largest size in bytes of a file from which single steps are removed. A larger file with a new step that
 * starts a program is emptied, because no user writes such a long list.
 */
const maxBytes = 16 << 20

/**
 * Returns the steps of unfinished rebases and cherry-picks that start programs. `histories` are
 * directories of repositories.
 */
export function readTodoLists(histories: readonly string[]): TodoLists {
  const lists = new Map<string, string[]>()
  for (const path of pathsIn(histories)) {
    const text = inFile(path, constants.O_RDONLY, (fd) => readFileSync(fd, 'latin1'))
    if (text !== undefined) lists.set(path, text.split('\n').filter(startsProgram))
  }
  return lists
}

/**
 * Removes steps that start a program and that did not exist `before`. Returns one text about each of them.
 */
export function removeNewPrograms(before: TodoLists, histories: readonly string[]): string[] {
  return pathsIn([...new Set(histories)]).flatMap(
    (path) => inFile(path, constants.O_RDWR, (fd) => filterLines(fd, path, before.get(path) ?? [])) ?? [],
  )
}

function filterLines(fd: number, path: string, knownLines: readonly string[]): string[] {
  const text = readFileSync(fd, 'latin1')
  const remainingLines = [...knownLines]
  const removed: string[] = []
  const keptLines = text.split('\n').filter((line) => {
    if (!startsProgram(line)) return true
    const at = remainingLines.indexOf(line)
    if (at >= 0) remainingLines.splice(at, 1)
    else removed.push(line)
    return at >= 0
  })
  if (removed.length === 0) return []
  const rest = Buffer.from(text.length > maxBytes ? '' : keptLines.join('\n'), 'latin1')
  ftruncateSync(fd, 0)
  writeSync(fd, rest, 0, rest.length, 0)
  return removed.map((line) => `${path}: the line "${line.trim()}" was removed`)
}

const pathsIn = (histories: readonly string[]) =>
  histories.flatMap((dir) => todoNames.map((name) => join(dir, name)))

/**
 * Returns true for a line that starts a program, parsed as git does: spaces, the command in full or as one
 * letter, then a space or the end of the line.
 */
const startsProgram = (line: string) => /^[ \t\r\f\v]*(?:exec|x)(?:[ \t\r\f\v]|$)/.test(line)
