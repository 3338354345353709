// Reader of files that earlier versions and similar programs left in a workspace: scripts, settings, and
// ledgers without hashes.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { currentHost } from '../measure/host-machine.ts'
import { isMetricName } from '../measure/metric-lines.ts'
import { type ExperimentRunStatus, type RunLine, runStatuses } from './experiment-run.ts'
import { type ExperimentSegment, foldLedger } from './fold.ts'
import type { ConfigLine } from './ledger-entry.ts'

interface LegacyDefaults {
  command?: string
  checks?: string
  maxRuns?: number
}

/**
 * Returns the commands and the limit of runs that scripts and settings in `.auto` imply. If `.auto` does not
 * have a file, a file with an older name at the top of the workspace is used.
 */
export async function readLegacyDefaults(workspace: string): Promise<LegacyDefaults> {
  const defaults: LegacyDefaults = {}
  const command = await readFirstFile(workspace, ['.auto/measure.sh', 'autoresearch.sh'])
  const checks = await readFirstFile(workspace, ['.auto/checks.sh', 'autoresearch.checks.sh'])
  if (command) defaults.command = `bash ./${command.name}`
  if (checks) defaults.checks = `bash ./${checks.name}`
  const config = await readFirstFile(workspace, ['.auto/config.json', 'autoresearch.config.json'])
  const limit = config && limitOf(config.text)
  if (limit !== undefined) defaults.maxRuns = limit
  return defaults
}

function limitOf(text: string): number | undefined {
  try {
    const { maxIterations, maxRuns = maxIterations } = JSON.parse(text) as Record<string, unknown>
    return Number.isSafeInteger(maxRuns) && (maxRuns as number) > 0 ? (maxRuns as number) : undefined
  } catch (error) {
    // Settings that are not valid JSON, or are only `null`, are ignored, because they only offer a default.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

async function readFirstFile(
  workspace: string,
  names: readonly string[],
): Promise<{ name: string; text: string } | undefined> {
  for (const name of names) {
    const text = await textOf(join(workspace, name))
    if (text !== undefined) return { name, text }
  }
  return undefined
}

/** Returns the segments of ledgers without hashes. They are read for their history and never rewritten. */
export async function readLegacySegments(workspace: string): Promise<ExperimentSegment[]> {
  const auto = (await readdir(join(workspace, '.auto')).catch(() => [])).filter((name) =>
    /^log.*\.jsonl$/.test(name),
  )
  const segments: ExperimentSegment[] = []
  for (const name of [...auto.sort().map((file) => `.auto/${file}`), 'autoresearch.jsonl']) {
    const text = await textOf(join(workspace, name))
    if (text !== undefined) segments.push(...parseSegments(text))
  }
  return segments
}

function parseSegments(text: string): ExperimentSegment[] {
  // A ledger with hashes is skipped here, because `readLedgerFile` reads it.
  const [head] = parseLines(text.slice(0, text.indexOf('\n') + 1 || undefined))
  if (typeof head?.seq === 'number' && typeof head.prev === 'string') return []
  const lines = parseLines(text)
  let segment = -1
  const ledgerLines = lines.flatMap((line): (ConfigLine | RunLine)[] => {
    if (line.type === 'config') return [configOf(line, ++segment)]
    const run = segment < 0 ? undefined : runOf(line, segment)
    return run ? [run] : []
  })
  return foldLedger(ledgerLines.map((line, i) => ({ ...line, seq: i + 1, prev: '' }))).segments
}

/** Returns the lines that are JSON objects, parsed. All other lines are skipped. */
function parseLines(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line): Record<string, unknown>[] => {
    try {
      const value = JSON.parse(line) as unknown
      return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
    } catch {
      return []
    }
  })
}

const toText = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise)

function configOf(line: Record<string, unknown>, segment: number): ConfigLine {
  const unit = toText(line.metricUnit, '')
  return {
    type: 'config',
    v: 1,
    segment,
    name: toText(line.name, 'earlier'),
    metricName: isMetricName(toText(line.metricName, '')) ? (line.metricName as string) : 'metric',
    metricUnit: unit || undefined,
    bestDirection: line.bestDirection === 'higher' ? 'higher' : 'lower',
    scope: [],
    locked: [],
    maxRuns: 0,
    gate: { kind: 'plain', looks: [], alpha: 0, confirm: 0, maxPlausible: 0 },
    guards: [],
    timeoutMs: 0,
    checksTimeoutMs: 0,
    strictMetrics: false,
    carry: [],
    env: [],
    seed: 0,
    lock: '',
    host: currentHost(),
    timestamp: toText(line.timestamp, ''),
  }
}

function runOf(line: Record<string, unknown>, segment: number): RunLine | undefined {
  const status = runStatuses.find((one) => one === line.status)
  if (typeof line.run !== 'number' || status === undefined) return undefined
  const metric = typeof line.metric === 'number' && Number.isFinite(line.metric) ? line.metric : undefined
  return {
    type: 'run',
    run: line.run,
    segment,
    status: status satisfies ExperimentRunStatus,
    reason: 'single_sample',
    evidence: 'single_sample',
    where: 'workspace',
    metric,
    metrics: (typeof line.metrics === 'object' && line.metrics !== null ? line.metrics : {}) as Record<
      string,
      number
    >,
    lock: 'ok',
    commit: typeof line.commit === 'string' ? line.commit : undefined,
    description: toText(line.description, ''),
    timestamp: toText(line.timestamp, String(line.timestamp ?? '')),
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreCodes('ENOENT', 'ENOTDIR', 'EISDIR'))
}
