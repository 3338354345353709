// A clock that is never set, for durations in milliseconds.

/** Returns milliseconds of a clock that is never set. Only differences have a meaning. */
export function monotonicNow(): number {
  // the first use of `performance` loads a module of Node's that nothing else needs
  return Number(process.hrtime.bigint()) / 1e6
}
