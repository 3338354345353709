// Experiment settings of a workspace: `.auto/config.json` and the scripts next to it.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import type { SessionSettings } from './settings.ts'

const list = z.optional(z.array(z.string()))
const text = z.optional(z.string())
const number = z.optional(z.number())

/** Keys of the configuration file, named like the parameters of the tool `init_experiment`. */
const schema = z.strictObject({
  name: text,
  objective: text,
  primary_metric: text,
  unit: text,
  direction: text,
  command: text,
  build: text,
  checks: text,
  holdout: text,
  scope: list,
  lock: list,
  guards: list,
  measure_files: list,
  carry: list,
  env: list,
  looks: z.optional(z.array(z.number())),
  gate: z.optional(z.enum(['plain', 'paired'])),
  min_effect: number,
  max_plausible: number,
  max_runs: number,
  confirm: number,
  timeout_ms: number,
  checks_timeout_ms: number,
  seed: number,
  strict_metrics: z.optional(z.boolean()),
})

type WorkspaceConfig = z.output<typeof schema>

/** Keys whose setting in SessionSettings has another name. */
const renamed = {
  primary_metric: 'metric',
  min_effect: 'minEffect',
  max_plausible: 'maxPlausible',
  max_runs: 'maxRuns',
  timeout_ms: 'timeoutMs',
  checks_timeout_ms: 'checksTimeoutMs',
  strict_metrics: 'strictMetrics',
  measure_files: 'measureFiles',
} as const satisfies Partial<Record<keyof WorkspaceConfig, keyof SessionSettings>>

/**
 * Scripts that are used as commands: the file, its name in older workspaces, and the setting that it defines.
 */
const scripts = [
  ['.auto/measure.sh', 'autoresearch.sh', 'command'],
  ['.auto/checks.sh', 'autoresearch.checks.sh', 'checks'],
] as const

/**
 * Returns the settings that `workspace` defines. A script that exists is used as a command, unless
 * `.auto/config.json` sets another one. The script names of older workspaces are used if `.auto/` has no such
 * script. Without `.auto/config.json`, the limit of runs of an older configuration file is used. Throws
 * UserError (exit 2) for an invalid file.
 */
export function readWorkspaceConfig(workspace: string): Partial<SessionSettings> {
  const settings: Partial<SessionSettings> = {}
  for (const [now, before, key] of scripts) {
    const script = [now, before].find((name) => isPresent(join(workspace, name)))
    if (script !== undefined)
      settings[key] = isExecutable(join(workspace, script)) ? `./${script}` : `bash ${script}`
  }
  return { ...settings, ...readConfig(workspace) }
}

function readConfig(workspace: string): Partial<SessionSettings> {
  const configPath = '.auto/config.json'
  const configText = readSmall(join(workspace, configPath))
  if (configText === undefined) return readOlderConfig(workspace)
  const parsed = z.safeParse(schema, parseJson(configText, configPath))
  if (parsed.success) {
    const named = Object.entries(parsed.data).map(([key, value]) => [
      Object.hasOwn(renamed, key) ? renamed[key as keyof typeof renamed] : key,
      value,
    ])
    return Object.fromEntries(named)
  }
  const issue = parsed.error.issues[0]
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
  const what = issue?.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}` : issue?.message
  throw new UserError(`${configPath} cannot be used${where}: ${what}`, {
    hint: `Known are ${Object.keys(schema.def.shape).join(', ')}.`,
  })
}

function readOlderConfig(workspace: string): Partial<SessionSettings> {
  const configPath = 'autoresearch.config.json'
  const configText = readSmall(join(workspace, configPath))
  const limit =
    configText === undefined
      ? undefined
      : (parseJson(configText, configPath) as { maxIterations?: unknown })?.maxIterations
  return typeof limit === 'number' ? { maxRuns: limit } : {}
}

function parseJson(source: string, displayName: string): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    throw new UserError(`${displayName} is not JSON: ${messageOf(cause)}`, { cause })
  }
}

const isPresent = (path: string) => canAccess(path, constants.F_OK)
const isExecutable = (path: string) => canAccess(path, constants.X_OK)

function canAccess(path: string, what: number): boolean {
  try {
    accessSync(path, what)
    return true
  } catch {
    // Any failure counts as no: a script that is not visible is not used, and one that is not executable is
    // passed to bash.
    return false
  }
}
