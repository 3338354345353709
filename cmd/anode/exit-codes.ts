// The exit codes of every command, by name.

/** Exit codes by name. manual/exit-codes.md describes each of them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  denied: 4,
  unverified: 5,
  bug: 70,
  interrupted: 130,
} as const

/** Returns the exit code of the process. After a signal, 130 becomes 128 plus the signal's number. */
export function signalExitCode(signal: AbortSignal, code: number): number {
  return code === 130 && signal.aborted ? Number(process.exitCode ?? code) : code
}
