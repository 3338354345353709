// The usage of models on this machine for a user's query.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { openDatabase } from '../../store/sqlite.ts'
import { sumUsage, type UsageGroup, type UsageQuery, type UsageTotals } from '../../store/usage-totals.ts'

export interface UsageReport {
  groups: UsageGroup[]
  total: UsageTotals
}

/**
 * Returns the usage that the query selects. Without a database it returns an empty report and does not
 * create a database.
 */
export async function readUsage(env: EnvironmentVariables, query: UsageQuery): Promise<UsageReport> {
  const dir = dataDir(env)
  if (!existsSync(join(dir, 'anode.db'))) return { groups: [], total: addTotals([]) }
  const db = await openDatabase(dir)
  try {
    const groups = sumUsage(db, query).map(wholeNumbers)
    return { groups, total: addTotals(groups) }
  } finally {
    db.close()
  }
}

const counts = ['fresh', 'cacheRead', 'cacheWrite', 'output'] as const

/**
 * Returns the group with tokens rounded to whole numbers and requests rounded to a tenth. Totals by tool have
 * fractions, because a request is divided among the tools that it calls.
 */
function wholeNumbers(group: UsageGroup): UsageGroup {
  const tokens = Object.fromEntries(counts.map((kind) => [kind, Math.round(group[kind])]))
  const tenth = (n: number) => Math.round(n * 10) / 10
  return { ...group, ...tokens, requests: tenth(group.requests), unpriced: tenth(group.unpriced) }
}

function addTotals(groups: readonly UsageTotals[]): UsageTotals {
  const sum = (pick: (group: UsageTotals) => number) =>
    groups.reduce((total, group) => total + pick(group), 0)
  return {
    requests: Math.round(sum((it) => it.requests)),
    fresh: sum((it) => it.fresh),
    cacheRead: sum((it) => it.cacheRead),
    cacheWrite: sum((it) => it.cacheWrite),
    output: sum((it) => it.output),
    usd: sum((it) => it.usd),
    unpriced: Math.round(sum((it) => it.unpriced)),
    estimated: Math.round(sum((it) => it.estimated)),
  }
}
