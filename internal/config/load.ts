// Reads the configuration: which files count, what they say, and where each value came from.
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configDir } from '../base/dirs.ts'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/small-file.ts'
import { within } from '../policy/path.ts'
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

/**
 * The text of a candidate, or undefined when there is none. Throws UserError for anything but a regular file of at
 * most 1 MiB; a workspace's must lie in the workspace as well, links followed.
 */
export function readCandidate(candidate: Candidate): string | undefined {
  const hint =
    candidate.from === 'env' ? 'ANODE_CONFIG names it; correct or unset it' : 'run `anode config doctor`'
  const refuse = (why: string, cause?: unknown) =>
    new UserError(`configuration ${candidate.path} cannot be read: ${why}`, { hint, cause })
  try {
    if (candidate.from === 'workspace' && leadsOut(candidate.path))
      throw refuse('it leads out of the workspace')
    const text = readSmall(candidate.path)
    if (text === undefined && candidate.from === 'env') throw refuse('no such file')
    return text
  } catch (error) {
    if (error instanceof UserError && error.message.startsWith('configuration ')) throw error
    throw refuse(messageOf(error), error)
  }
}

function leadsOut(path: string): boolean {
  if (!exists(path)) return false
  try {
    return !within(realpathSync.native(path), realpathSync.native(dirname(path)))
  } catch (error) {
    // a link to nothing is no file
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Whether something of that name is there, without opening or following it. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
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
    if (candidate.from === 'workspace' && !where.trusted) {
      // what nobody has trusted is not even opened
      if (exists(candidate.path)) notes.push(`${candidate.path} is ignored until \`anode trust\``)
      continue
    }
    const text = readCandidate(candidate)
    if (text !== undefined) present.push({ ...candidate, text })
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
