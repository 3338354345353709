// Worktree of an external worker program: its files, and functions to run commands in it. The program can
// change the worktree while Anode answers a request, so a check of a path proves nothing. Anode therefore
// reads and writes files with commands in the program's sandbox, which limits them.
import { realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { ReportedCall } from '../../../build/entries.ts'
import type { RunCommand, SpawnProcess } from '../../../process/process-command.ts'

/** A worktree with functions that run commands in the sandbox of the program. */
export interface ProgramWorktree {
  /** Real path of the worktree. */
  cwd: string
  /** False if the program runs with the rights of the user. */
  isSandboxed: boolean
  /** Runs a command in the sandbox of the program. */
  run: RunCommand
  /** Starts a command in the sandbox of the program. */
  spawn: SpawnProcess
  /** Environment of the program. */
  env: Readonly<Record<string, string>>
  /**
   * Asks the user about a call of a program without a sandbox. Resolves to false if the user denies the call
   * or no user can answer.
   */
  approve(call: ReportedCall): Promise<boolean>
}

/** Longest duration in milliseconds of one read or write. Without it, a named pipe could block forever. */
const fileMs = 30_000

/** Largest size in bytes of a file that is read. A larger one is an error. */
const maxFileBytes = 32 << 20

/**
 * Returns the text of a file, or at most `limit` lines from `line`, which counts from 1. Rejects for a file
 * outside of the worktree or in `.git`, for one that cannot be read within 30 seconds, and for one of more
 * than 32 MiB.
 */
export async function readLines(
  place: ProgramWorktree,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<{ content: string }> {
  const args = ['--', await insidePath(place.cwd, path)]
  const done = await place.run({ ...fileCommand(place), file: 'cat', args, keepBytes: maxFileBytes })
  if (done.exit !== 0) throw new Error(done.stderr.text.trim() || `${path} could not be read`)
  const { text, cut: isCut } = done.stdout
  if (isCut) throw new Error(`${path} has more than 32 MiB`)
  const start = Math.max(0, (line ?? 1) - 1)
  if (line == null && limit == null) return { content: text }
  const lines = text.split('\n')
  return { content: lines.slice(start, start + (limit ?? lines.length)).join('\n') }
}

/**
 * Replaces the text of a file, or creates the file in an existing directory. Rejects for a path outside of
 * the worktree or in `.git`, and if the file cannot be written within 30 seconds.
 */
export async function writeText(
  place: ProgramWorktree,
  { path, content }: { path: string; content: string },
): Promise<Record<string, never>> {
  const args = ['-c', 'exec cat > "$1"', 'sh', await insidePath(place.cwd, path)]
  const done = await place.run({ ...fileCommand(place), file: 'sh', args, input: content })
  if (done.exit !== 0) throw new Error(done.stderr.text.trim() || `${path} could not be written`)
  return {}
}

const fileCommand = ({ cwd, env }: ProgramWorktree) => ({ cwd, env, timeoutMs: fileMs })

/**
 * Returns the absolute path if it is in the worktree and not in `.git`, also after links are resolved.
 * Rejects for any other path, and if its directory is missing.
 */
async function insidePath(cwd: string, path: string): Promise<string> {
  const whole = resolve(cwd, path)
  const folder = await realpath(dirname(whole))
  const real = await realpath(whole).catch(() => resolve(folder, whole.slice(dirname(whole).length + 1)))
  const isInside = (one: string) => one === cwd || one.startsWith(`${cwd}${sep}`)
  const isGit = (one: string) => one === `${cwd}${sep}.git` || one.startsWith(`${cwd}${sep}.git${sep}`)
  if ([whole, real].every((one) => isInside(one) && !isGit(one)) && isInside(folder)) return whole
  throw new Error(`${path} is outside of the worktree`)
}
