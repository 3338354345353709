// Watches the machine between runs: later samples of the baseline against the first ones.
import type { Arena } from './arena.ts'
import { now } from './book.ts'
import { record } from './desk.ts'
import { hostHere } from './host.ts'
import { hostOfBaseline } from './host-check.ts'
import { samples, warmUp } from './measure.ts'
import { arenaOf } from './null-test.ts'
import { drift, driftDue, isDeterministic } from './reference.ts'
import { methodOf } from './rules.ts'
import type { Job } from './run.ts'
import { isConstant } from './stats.ts'
import type { Trace } from './stopped.ts'

const afterwards = 5
const onNewHost = 8
/** Enough where every value so far was the same and these are too. */
const constant = 2

/**
 * Measures the baseline again when 10 runs or 30 minutes have passed, or at once when the machine is another one;
 * its samples then replace the first. `best` is at hand when it is the baseline.
 */
export async function watchDrift(
  job: Job,
  best: () => Promise<Arena>,
  trace: Trace,
): Promise<{ pct: number } | undefined> {
  const { seat, segment, command } = job
  const { desk } = seat
  const { baseline, config, drifts, runs } = segment
  if (!baseline?.tree) return undefined
  const moved = hostOfBaseline(desk, segment)
  const last =
    drifts.at(-1)?.timestamp ?? runs.find(({ run }) => run === baseline.run)?.timestamp ?? config.timestamp
  const since = runs.filter(({ timestamp }) => timestamp > last).length
  if (moved.length === 0 && !driftDue(since, Date.now() - Date.parse(last))) return undefined
  const same = segment.best?.tree === baseline.tree
  const arena = same
    ? await best()
    : await arenaOf(seat, { ...config, lock: segment.lock }, baseline.tree, 98)
  const method = methodOf(config, command)
  const first = baseline.samples.map(({ value }) => value)
  const take = async (count: number) =>
    (await samples(desk, arena, method, { arm: 'base', phase: 'drift', trace, count })).map(
      ({ value }) => value,
    )
  let values = moved.length === 0 && isDeterministic(segment) ? await take(constant) : []
  if (!isConstant([...first, ...values]) || values.length === 0) {
    await warmUp(desk, [[arena, 'base']], method, trace)
    values = await take(moved.length > 0 ? onNewHost : afterwards)
  }
  const found = drift(first, values)
  if (found.drifted && moved.length === 0) {
    const text = `the baseline has moved by ${found.pct.toFixed(1)} %; verdicts stay valid, they compare pairs`
    desk.tell({ kind: 'warning', code: 'drift', text })
  }
  const host = moved.length > 0 ? { host: hostHere() } : {}
  await record(seat, {
    type: 'drift',
    segment: config.segment,
    ...found,
    samples: values,
    ...host,
    timestamp: now(),
  })
  return { pct: found.pct }
}
