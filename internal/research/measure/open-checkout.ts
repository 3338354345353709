// Opens checkouts to measure in; a build that fails stops the measurement.
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { buildMeasurementCheckout, type MeasurementCheckout } from './benchmark-checkout.ts'
import { MeasurementStopped } from './measurement-stopped.ts'

/** Throws Stopped when the build fails. */
export async function openMeasurementCheckout(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
  slot: number,
): Promise<MeasurementCheckout> {
  if (config.build !== undefined) session.experiment.tell({ kind: 'phase', phase: 'build' })
  const opened = await buildMeasurementCheckout(session, { tree, slot, config, lock: config.lock })
  if (opened.ok) return opened.checkout
  const { failure } = opened
  const { reason } = failure
  const detail = `${reason}${failure.detail === undefined ? '' : `: ${failure.detail}`}`
  throw new MeasurementStopped({
    arm: slot === 0 ? 'base' : 'cand',
    reason: reason === 'interrupted' || reason === 'timeout' ? reason : 'build',
    detail,
    executed: failure,
  })
}

/** Two checkouts of one tree. Throws Stopped when its build fails. */
export async function openTwinCheckouts(
  session: LockedSession,
  config: ConfigLine,
  tree: string,
): Promise<{ base: MeasurementCheckout; cand: MeasurementCheckout }> {
  return {
    base: await openMeasurementCheckout(session, config, tree, 0),
    cand: await openMeasurementCheckout(session, config, tree, 1),
  }
}
