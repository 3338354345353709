// Builds as the server and the page show them: their state, and the entries of their journals.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { formatBuildEntry } from '../../build/report/build-lines.ts'
import { summarizeBuild } from '../../build/summary.ts'
import type { BuildAccess } from '../../server/backend.ts'
import { readJournalLines } from '../../store/journal/lines.ts'
import { cancelBuild, listBuilds, withBuild } from './known-builds.ts'

const maxListed = 200
const maxRecords = 500

/** Returns access to the builds of all workspaces. `data` is a directory that exists. */
export function openBuildBoards(data: string, env: EnvironmentVariables): Omit<BuildAccess, 'start'> {
  const place = { cwd: data, env }
  /**
   * Calls `use` with the build. Returns undefined for an unknown or shortened ID, and if `use`
   * rejects with UserError.
   */
  const find = async <T>(id: string, use: Parameters<typeof withBuild<T>>[2]): Promise<T | undefined> => {
    if (!/^\w{26}$/.test(id)) return undefined
    try {
      return await withBuild(id, place, use)
    } catch (error) {
      if (error instanceof UserError) return undefined
      throw error
    }
  }
  return {
    list: () => listBuilds(place, { everywhere: true, limit: maxListed }),
    board: (id) => find(id, async ({ state, isLed }) => summarizeBuild(await state(), await isLed())),
    records: (id, after) =>
      find(id, async ({ journal }) => {
        const records = []
        for await (const line of readJournalLines(journal, id, after)) {
          const { seq, ts, kind, data: entry } = line
          const task = typeof entry['task'] === 'string' ? entry['task'] : null
          records.push({ seq, ts, kind, task, text: formatBuildEntry(line) ?? null })
          if (records.length >= maxRecords) break
        }
        return records
      }),
    async cancel(id) {
      if ((await find(id, async () => true)) === undefined) return undefined
      return (await cancelBuild(id, place)).cancelled ? 'cancelled' : 'ended'
    },
  }
}
