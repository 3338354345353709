// Reads the configuration: which files count, what they say, and where each value came from.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../base/dirs.ts'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import type { Rule } from '../policy/rule.ts'
import type { Config } from './schema.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A place where a configuration file may stand. */
export interface Candidate {
  path: string
  /** `workspace` files count only when the workspace is trusted, and may only tighten permissions. */
  from: 'env' | 'user' | 'workspace'
}

export interface Loaded {
  config: Config
  /** Dotted key to the file its value came from. */
  origins: ReadonlyMap<string, string>
  /** What a person should know: ignored files, keys a workspace may not set. */
  notes: readonly string[]
}

export interface Where {
  env: Env
  workspace: string
  trusted: boolean
}

/** All candidates in order of precedence: $ANODE_CONFIG, else the user's file; then the workspace's on top. */
export function candidates({ env, workspace }: Pick<Where, 'env' | 'workspace'>): Candidate[] {
  return [
    ...(env.ANODE_CONFIG ? [{ path: env.ANODE_CONFIG, from: 'env' } as const] : []),
    { path: join(configDir(env), 'config.json'), from: 'user' },
    { path: join(workspace, 'anode.json'), from: 'workspace' },
  ]
}

/** The text of a candidate, or undefined when there is none. Throws UserError when it cannot be read. */
export function readCandidate(candidate: Candidate): string | undefined {
  try {
    return readFileSync(candidate.path, 'utf8')
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')
    if (absent && candidate.from !== 'env') return undefined
    const hint =
      candidate.from === 'env' ? 'ANODE_CONFIG names it; correct or unset it' : 'run `anode config doctor`'
    throw new UserError(`configuration ${candidate.path} cannot be read: ${messageOf(error)}`, {
      hint,
      cause: error,
    })
  }
}

/**
 * Loads and layers the configuration. A file that exists and is not valid is an error, not a file to pass over:
 * passing over it would drop the deny rules it holds.
 */
export async function loadConfig(where: Where): Promise<Loaded> {
  const present: (Candidate & { text: string })[] = []
  const notes: string[] = []
  for (const candidate of candidates(where)) {
    // one base: what ANODE_CONFIG names replaces the user's file
    if (candidate.from === 'user' && present.length > 0) continue
    const text = readCandidate(candidate)
    if (text === undefined) continue
    if (candidate.from === 'workspace' && !where.trusted) {
      notes.push(`${candidate.path} is ignored until \`anode trust\``)
    } else present.push({ ...candidate, text })
  }
  if (present.length === 0) return { config: {}, origins: new Map(), notes }
  const { parseConfig } = await import('./parse.ts')
  const { layer } = await import('./layer.ts')
  const parsed = await Promise.all(
    present.map(async (c) => ({ ...c, config: await parseConfig(c.path, c.text, where.env) })),
  )
  const layered = layer(parsed)
  if (layered.config.permissions) {
    const { checkRules } = await import('../policy/check.ts')
    await checkRules(layered.config.permissions as readonly Rule[])
  }
  return { ...layered, notes: [...notes, ...layered.notes] }
}
