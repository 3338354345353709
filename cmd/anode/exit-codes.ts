// The named exit codes of commands. Unless a command defines another code, the code after a signal is 128
// plus the signal's number.

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
