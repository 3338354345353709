// Joins the parts of a session behind the one interface that callers see.
import { basename } from 'node:path'
import { isAlive } from '../base/alive.ts'
import { aa, final } from './again.ts'
import { readBook } from './book.ts'
import { type Desk, openDesk, type Seat, sitHere } from './desk.ts'
import { finalize } from './finalize.ts'
import { init } from './init.ts'
import { readLegacy } from './legacy.ts'
import { log } from './log.ts'
import { readPending } from './pending.ts'
import { run } from './run.ts'
import type { Ground, PendingView, Research, Resumed, State } from './session.ts'
import { settle } from './settle.ts'
import { verify } from './verify.ts'
import { findSession } from './where.ts'
import { candidate, drop, rebase, sweepWorktrees } from './worktree.ts'

export async function engine(ground: Ground): Promise<Research> {
  const desk = await openDesk(ground, settle)
  return {
    init: (settings) => init(desk, settings),
    run: (order) => run(desk, order),
    log: (order) => log(desk, order),
    aa: (order) => aa(desk, order),
    final: (order) => final(desk, order),
    resume: () => sitHere(desk, resumed),
    verify: () => verify(desk),
    state: () => stateOf(desk),
    candidate: (label, spare) => candidate(desk, label, spare),
    drop: (path) => drop(desk, path),
    rebase: (path) => rebase(desk, path),
    finalize: (order) => finalize(desk, order),
  }
}

/** Taking the lock has settled the open run; what is left are worktrees that nobody comes back to. */
async function resumed(seat: Seat): Promise<Resumed> {
  const lost = await sweepWorktrees(seat)
  const notes = lost.map((file) => `a candidate that was not measured is kept in ${file}`)
  return { ...seat.recovered, notes: [...seat.recovered.notes, ...notes] }
}

async function stateOf(desk: Desk): Promise<State> {
  const legacy = await readLegacy(desk.where.workspace)
  const dir = await findSession(desk.where, desk.ground.session)
  if (dir === undefined)
    return { session: undefined, segments: [], active: undefined, nextRun: 1, pending: [], lines: 0, legacy }
  const { ledger, folded } = await readBook(dir, desk.where.workspace)
  const pending = (await readPending(dir)).map(
    ({ run, state, pid, mark, started, candidate, ran }): PendingView => {
      const shown = state === 'committing' ? 'measured' : state
      const alive = isAlive(mark, Date.now() - Date.parse(started))
      return { run, state: shown, pid, alive, started, ...(candidate && { candidate }), ...(ran && { ran }) }
    },
  )
  return { ...folded, session: folded.active && basename(dir), pending, lines: ledger.entries.length, legacy }
}
