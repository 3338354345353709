// A clock for durations.

/** Milliseconds of a clock that is never set; only differences mean something. */
export function monotonicNow(): number {
  // the first look at `performance` loads a module of Node's that is needed for nothing else
  return Number(process.hrtime.bigint()) / 1e6
}
