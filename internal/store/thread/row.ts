// The row of a thread in its table: the columns, and the thread that is read from a row.
import { FailureError } from '../../base/errors.ts'
import type { Thread } from '../store.ts'

export type ThreadRow = Omit<Thread, 'archived'> & { archived: number }

/** The columns of a ThreadRow, for a query that calls the table `t`. */
export const threadColumns =
  't.id, t.workspace, t.title, t.profile, t.model, t.parent, t.created, t.updated, t.archived, t.events'

export function readThread({ archived, ...row }: ThreadRow): Thread {
  return { ...row, archived: archived === 1 }
}

/** Returns the failure of a call that names an unknown thread. */
export function noThread(id: string): FailureError {
  return new FailureError({ code: 'not_found', message: `unknown thread ${id}`, detail: { id } })
}
