// Other processes in which a session can continue when its terminal closes: those of runs in the
// same data directory.
import { dataDir } from '../../base/dirs.ts'
import type { RunPlaces } from '../session/handover/hand-over.ts'
import { joinRun, type RunPlace, startRunProcess } from './run-access.ts'
import { isRunAlive, readRunRecord } from './run-record.ts'

export function createRunPlaces(place: RunPlace): RunPlaces {
  const data = dataDir(place.env)
  const isTaken = async (thread: string) => {
    const record = await readRunRecord(data, thread)
    return record !== undefined && isRunAlive(record)
  }
  return {
    isTaken,
    join: async (thread) => ((await isTaken(thread)) ? joinRun(data, thread) : undefined),
    async start({ thread, ...order }) {
      const { kind } = await startRunProcess({ ...order, source: { kind: 'resume', thread } }, place)
      return kind
    },
  }
}
