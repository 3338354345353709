// The Unix sockets of programs on this machine, by the paths to which they are bound.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findStats } from '../base/files/path-lookup.ts'

/**
 * Returns the paths of existing sockets that a program on this machine has bound, or that are mounted. A
 * relative path is searched in the working directories of all processes and in `folders`.
 */
export function findBoundSockets(folders: readonly string[], proc = '/proc'): string[] {
  const bound = readLines(join(proc, 'net/unix')).flatMap((line) => pathOf(line) ?? [])
  // A socket of another network namespace does not appear in /proc/net/unix. It is found only if its path is
  // a mount point.
  const mounted = readLines(join(proc, 'self/mountinfo')).flatMap((line) => line.split(' ')[4] ?? [])
  const absolute = bound.filter((path) => path.startsWith('/'))
  const relative = [...new Set(bound.filter((path) => !path.startsWith('/')))]
  const from = relative.length > 0 ? [...folders, ...workingDirectories(proc)] : []
  const socketPaths = [
    ...absolute,
    ...mounted.map((path) =>
      path.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8))),
    ),
    ...from.flatMap((dir) => relative.map((path) => join(dir, path))),
  ]
  // A path may have been removed after it was bound.
  return [...new Set(socketPaths)].filter((path) => findStats(path)?.isSocket() === true)
}

/**
 * Returns the path of a socket. Undefined for a socket without a path, and for an abstract one, which other
 * network namespaces cannot access.
 */
const pathOf = (line: string) => /^\S+: (?:\S+ +){6}([^@\s].*)$/.exec(line)?.[1]

function workingDirectories(proc: string): Set<string> {
  const directories = new Set<string>()
  for (const name of readdirSync(proc)) {
    if (!/^\d+$/.test(name)) continue
    try {
      directories.add(readlinkSync(join(proc, name, 'cwd')))
    } catch {
      // the process ended, or belongs to another user
    }
  }
  return directories
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // The system does not have this file, so no sockets are known.
    return []
  }
}
