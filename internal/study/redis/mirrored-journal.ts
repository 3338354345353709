// A journal on a server whose log is copied into the local database as it is read: what was seen stays when
// the server is gone.
import type { BudgetLimits, Journal } from '../../store/journal/journal.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import type { RedisJournal, StudyTotals } from './journal.ts'

export interface MirroredJournal extends Journal {
  /** Gives the server back what it has lost of a study; resolves to the number of lines. */
  restore(study: string, lost: StudyTotals): Promise<number>
}

/** Lines that are copied at once. */
const maxCopiedLines = 500

/**
 * `restored` is called when the server came back without lines that are here. Closes both journals with
 * itself.
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
  // after a restart the server takes nothing for a study until its log has been compared with this copy
  const compare = async () => {
    for (const [study, limits] of totals) {
      const lines = await restore(study, { limits })
      if (lines > 0) restored(study, lines)
    }
  }
  remote.server.client.on('ready', () => {
    // a server that goes away meanwhile comes back with another word
    compare().catch(() => undefined)
  })

  /** Copies up to `seq`, whatever has been read before. */
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

/** Number of lines of a study that are in the local database. */
function here(local: LocalJournal, study: string): number {
  return local.studies.find(study, '').find(({ id }) => id === study)?.lines ?? 0
}
