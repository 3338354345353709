// Joins the parts of a session behind the one interface that callers see.
import { isAlive } from '../base/alive.ts'
import { readBook } from './book.ts'
import { type Desk, openDesk } from './desk.ts'
import { readPending } from './pending.ts'
import type { Ground, PendingView, Research, State } from './session.ts'
import { findSession } from './where.ts'

export async function engine(ground: Ground): Promise<Pick<Research, 'state'>> {
  const desk = await openDesk(ground, async (seat) => seat.recovered)
  return { state: () => stateOf(desk) }
}

async function stateOf(desk: Desk): Promise<State> {
  const dir = await findSession(desk.where, desk.ground.session)
  if (dir === undefined) {
    return {
      session: undefined,
      segments: [],
      active: undefined,
      nextRun: 1,
      pending: [],
      lines: 0,
      legacy: [],
    }
  }
  const { ledger, folded } = await readBook(dir, desk.where.workspace)
  const pending = (await readPending(dir)).map(
    ({ run, state, pid, mark, started, candidate, ran }): PendingView => {
      const shown = state === 'committing' ? 'measured' : state
      const alive = isAlive(mark, Date.now() - Date.parse(started))
      return { run, state: shown, pid, alive, started, ...(candidate && { candidate }), ...(ran && { ran }) }
    },
  )
  return { ...folded, session: dir.split('/').at(-1), pending, lines: ledger.entries.length, legacy: [] }
}
