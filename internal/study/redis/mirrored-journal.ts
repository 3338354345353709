// Journal on a server whose log is copied into the local database while it is read, so
// it survives the server.
import type { BudgetLimits, Journal } from '../../store/journal/journal.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import type { RedisJournal, StudyTotals } from './journal.ts'

export interface MirroredJournal extends Journal {
  /** Restores the lines of a study that the server has lost. Resolves to their number. */
  restore(study: string, lost: StudyTotals): Promise<number>
}

/** Maximum number of lines that are copied at once. */
const maxCopiedLines = 500

/**
 * Creates the journal. Calls `restored` after it has restored lines on the server. Closing
 * it closes both journals.
 */
export function mirrorJournal(
  remote: RedisJournal,
  local: LocalJournal,
  restored: (study: string, lines: number) => void,
): MirroredJournal {
  const totals = new Map<string, BudgetLimits>()
  const known = (study: string) => {
    if (!totals.has(study)) totals.set(study, {})
  }
  const restore = async (study: string, lost: StudyTotals) => {
    known(study)
    return remote.restore(study, local, lost)
  }
  // after a restart the server accepts no writes for a study until its log has been compared with this copy
  const compare = async () => {
    for (const [study, limits] of totals) {
      const lines = await restore(study, { limits })
      if (lines > 0) restored(study, lines)
    }
  }
  remote.server.client.on('ready', () => {
    // if the connection is lost meanwhile, the next reconnect compares again
    compare().catch(() => undefined)
  })

  /** Copies the lines up to `seq`, independent of the lines already read. */
  const copy = async (study: string, seq: number) => {
    let last = here(local, study)
    while (last < seq) {
      const lines = await remote.read(study, last, maxCopiedLines)
      if (lines.length === 0) return
      last = await local.mirror(study, lines)
    }
  }
  return {
    ...remote,
    async create(study, first, limits) {
      await remote.create(study, first, limits)
      totals.set(study, limits)
      await copy(study, 1)
    },
    async read(study, after, limit) {
      const lines = await remote.read(study, after, limit)
      known(study)
      const last = lines.at(-1)?.seq
      if (last !== undefined && last > here(local, study)) await copy(study, last)
      return lines
    },
    async limit(study, limits) {
      totals.set(study, limits)
      await remote.limit(study, limits)
    },
    restore,
    async close() {
      await remote.close()
      await local.close()
    },
  }
}

/** Returns the number of a study's lines in the local database. */
function here(local: LocalJournal, study: string): number {
  return local.studies.find(study, '').find(({ id }) => id === study)?.lines ?? 0
}
