// The columns of a thread's row, and the conversion of such a row to a thread.
import { FailureError } from '../../base/errors.ts'
import type { Thread } from '../store.ts'

export type ThreadRow = Omit<Thread, 'archived'> & { archived: number }

/** Columns of a ThreadRow, for a query in which the table is called `t`. */
export const threadColumns =
  't.id, t.workspace, t.title, t.profile, t.model, t.parent, t.created, t.updated, t.archived, t.events'

export function readThread({ archived, ...row }: ThreadRow): Thread {
  return { ...row, archived: archived === 1 }
}

/** Returns the error for a call with the id of an unknown thread. */
export function noThread(id: string): FailureError {
  return new FailureError({ code: 'not_found', message: `unknown thread ${id}`, detail: { id } })
}
