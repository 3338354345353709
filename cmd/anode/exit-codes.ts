// The exit codes of every command, by name.

/** Exit codes by name; manual/exit-codes.md tells what each means. */
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

/** What the code 130 means in the end: 128 and the number of the signal that has ended it, if one has. */
export function signalExitCode(signal: AbortSignal, code: number): number {
  return code === 130 && signal.aborted ? Number(process.exitCode ?? code) : code
}
