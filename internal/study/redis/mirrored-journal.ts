// Journal on a server. Its log is copied into the local database while it is read, so that the study survives
// the loss of the server.
import type { BudgetLimits, Journal } from '../../store/journal/journal.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import type { RedisJournal, StudyTotals } from './journal.ts'

export interface MirroredJournal extends Journal {
  /**
   * Writes the lines of a study that the server has lost back to it. Resolves to the number
   * of restored lines.
   */
  restore(study: string, lost: StudyTotals): Promise<number>
}

/** Largest number of lines that are copied at once. */
const maxCopiedLines = 500

/**
 * Creates the journal. `restored` is called when a new connection to the server had to restore lines. Closing
 * the journal closes `remote` and `local`.
 */
export function mirrorJournal(
  remote: RedisJournal,
  local: LocalJournal,
  restored: (study: string, lines: number) => void,
): MirroredJournal {
  const totals = new Map<string, BudgetLimits>()
  const registerStudy = (study: string) => {
    if (!totals.has(study)) totals.set(study, {})
  }
  const restore = async (study: string, lost: StudyTotals) => {
    registerStudy(study)
    return remote.restore(study, local, lost)
  }
  // After a restart of the server, it accepts no writes for a study until its log was compared with
  // the local copy.
  const compare = async () => {
    for (const [study, limits] of totals) {
      const lines = await restore(study, { limits })
      if (lines > 0) restored(study, lines)
    }
  }
  remote.server.client.on('ready', () => {
    // If the connection is lost during the comparison, the next connection compares again, so the
    // error is ignored.
    compare().catch(() => undefined)
  })

  return {
    ...remote,
    async create(study, first, limits) {
      await remote.create(study, first, limits)
      totals.set(study, limits)
      await copyLines(remote, local, study, 1)
    },
    async read(study, after, limit) {
      const lines = await remote.read(study, after, limit)
      registerStudy(study)
      const last = lines.at(-1)?.seq
      const stored = countLocalLines(local, study)
      if (last === undefined || last <= stored) return lines
      if (after <= stored) await local.mirror(study, lines)
      else await copyLines(remote, local, study, last)
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

/** Copies the lines of a study up to number `seq`, even those that no caller has read yet. */
async function copyLines(remote: RedisJournal, local: LocalJournal, study: string, seq: number) {
  let last = countLocalLines(local, study)
  while (last < seq) {
    const lines = await remote.read(study, last, maxCopiedLines)
    if (lines.length === 0) return
    last = await local.mirror(study, lines)
  }
}

/** Returns how many lines of a study are in the local database. */
function countLocalLines(local: LocalJournal, study: string): number {
  return local.studies.find(study, '').find(({ id }) => id === study)?.lines ?? 0
}
