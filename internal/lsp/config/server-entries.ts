// Which servers there are for a workspace: what was configured, merged by name, then what is found.
import { realpathSync } from 'node:fs'
import { objectOf } from '../../base/untrusted-json.ts'
import { type KnownServer, knownServers } from './known-servers.ts'
import type { LspServerSource } from './lsp-config.ts'
import { type FoundProgram, findServerProgram, type LspSearchScope, searchPath } from './program-search.ts'
import type { LspServerDraft, LspServerEntry } from './server-entry.ts'

export interface IdleServer {
  name: string
  extensions: Readonly<Record<string, string>>
  why: string
  /** Nobody has turned it off: its program is not there. */
  absent?: true
  /** The file that asks for it; absent where nobody does. */
  where?: string
}

export interface ServerEntries {
  /**
   * Configured ones first, in the order of their first mention; the first that fits a file is asked about it.
   */
  entries: LspServerEntry[]
  /** Servers that could be there and are not in use, with the reason. */
  idle: IdleServer[]
}

/** Later sources override earlier ones key by key; a known name needs no command of its own. */
export function chooseServers(sources: readonly LspServerSource[], place: LspSearchScope): ServerEntries {
  const merged = new Map<string, { draft: LspServerDraft; path: string }>()
  for (const { name, draft, path } of sources) {
    merged.set(name, { draft: { ...merged.get(name)?.draft, ...draft }, path })
  }
  for (const { name } of knownServers) if (!merged.has(name)) merged.set(name, { draft: {}, path: '' })
  const dirs = searchPath(place)
  const out: ServerEntries = { entries: [], idle: [] }
  for (const [name, { draft, path }] of merged) {
    const usual = knownServers.find((one) => one.name === name)
    const made = draft.disabled
      ? 'turned off by its configuration'
      : complete(name, draft, path, usual, place, dirs)
    if (typeof made !== 'string') out.entries.push(made)
    else {
      const asked = path !== '' && !draft.disabled
      const files = draft.extensions ?? usual?.extensions ?? {}
      const absent = made.endsWith(notFound)
      out.idle.push({
        name,
        extensions: lowered(files),
        why: made,
        absent: absent || undefined,
        where: asked ? path : undefined,
      })
    }
  }
  return out
}

const notFound = ' is not on the PATH'

/** The whole entry, or why there is none. */
function complete(
  name: string,
  draft: LspServerDraft,
  path: string,
  usual: KnownServer | undefined,
  place: LspSearchScope,
  dirs: readonly string[],
): LspServerEntry | string {
  const command = draft.command ?? usual?.command
  if (command === undefined) return 'command is missing'
  const extensions = draft.extensions ?? usual?.extensions
  if (extensions === undefined) return 'extensions are missing, for example {".ts": "typescript"}'
  const program = findServerProgram(command, place, [...dirs])
  if (!program) {
    const inside = findServerProgram(command, { ...place, trusted: true })
    if (inside) return `${command} lies in the workspace, which is not trusted: see \`anode trust\``
    return `${command}${notFound}`
  }
  const guard = place.trusted ? undefined : usual?.untrusted
  const more = guard?.(realpathSync(program.path), draft.initializationOptions) ?? {}
  if (typeof more === 'string') return `needs a trusted workspace: ${more}`
  const options = [more, draft.initializationOptions].reduce(
    overlaySettings,
    usual?.initializationOptions ?? {},
  ) as object
  const isOfWorkspace = !place.trusted || program.inside || path.startsWith(`${place.workspace}/`)
  return {
    name,
    program: program.path,
    args: draft.args ?? usual?.args ?? [],
    extensions: lowered(extensions),
    initializationOptions: Object.keys(options).length > 0 ? options : undefined,
    settings: draft.settings,
    env: { ...usual?.env, ...draft.env },
    origin: path || originOf(program),
    sandboxed: isOfWorkspace ? true : undefined,
    sandbox: draft.sandbox,
  }
}

/** Key by key, the second one counting; anything that is no object stands as a whole. */
export function overlaySettings(under: unknown, over: unknown): unknown {
  if (over === undefined) return under
  const a = objectOf(under)
  const b = objectOf(over)
  if (!a || !b) return over
  const keys = Object.keys(b).filter((key) => key !== '__proto__')
  return { ...a, ...Object.fromEntries(keys.map((key) => [key, overlaySettings(a[key], b[key])])) }
}

const originOf = (program: FoundProgram) => (program.inside ? 'workspace' : 'PATH')

/** Endings are compared in lower case; whole names as they are. */
function lowered(extensions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(extensions).map(([key, id]) => [key.startsWith('.') ? key.toLowerCase() : key, id]),
  )
}
