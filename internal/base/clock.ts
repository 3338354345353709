// A clock that is never set, for durations in milliseconds.

/** Returns milliseconds of a clock that is never set. Only differences have a meaning. */
export function monotonicNow(): number {
  // `performance` is avoided, because its first use loads a module of Node that nothing else needs
  return Number(process.hrtime.bigint()) / 1e6
}
