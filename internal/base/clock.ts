// A clock for durations in milliseconds, which changes of the system's time do not affect.

/**
 * Returns milliseconds of a clock that changes of the system's time do not affect. Only differences
 * have a meaning.
 */
export function monotonicNow(): number {
  // `performance` is avoided, because its first use loads a module of Node that nothing else needs
  return Number(process.hrtime.bigint()) / 1e6
}
