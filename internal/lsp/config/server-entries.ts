// Language servers of a workspace: configured servers, merged by name, then known servers that are installed.
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
  /** True if the program of the server is missing; undefined for any other reason. */
  absent?: true
  /** File that configures the server; missing if no file configures it or the file disables it. */
  where?: string
}

export interface ServerEntries {
  /**
   * Usable servers: configured ones in the order of their first mention, then known ones. The first server
   * that supports a file is used for the file.
   */
  entries: LspServerEntry[]
  /** Unusable servers, with the reason. */
  idle: IdleServer[]
}

/**
 * Returns the usable servers as `entries` and the others as `idle`. Entries of the same name are merged key
 * by key; later sources override earlier ones. A known server needs no `command`.
 */
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
    const entryOrReason = draft.disabled
      ? 'turned off by its configuration'
      : completeEntry(name, draft, path, usual, place, dirs)
    if (typeof entryOrReason !== 'string') out.entries.push(entryOrReason)
    else {
      const isConfigured = path !== '' && !draft.disabled
      const files = draft.extensions ?? usual?.extensions ?? {}
      const absent = entryOrReason.endsWith(notFound)
      out.idle.push({
        name,
        extensions: lowerExtensions(files),
        why: entryOrReason,
        absent: absent || undefined,
        where: isConfigured ? path : undefined,
      })
    }
  }
  return out
}

const notFound = ' is not on the PATH'

/** Returns the complete entry, or the reason why the server is not usable. */
function completeEntry(
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
    if (inside) return `${command} is in the workspace, which is not trusted: see \`anode trust\``
    return `${command}${notFound}`
  }
  const guard = place.trusted ? undefined : usual?.untrusted
  const more = guard?.(realpathSync(program.path), draft.initializationOptions) ?? {}
  if (typeof more === 'string') return `${more}; it starts after \`anode trust\``
  const options = [more, draft.initializationOptions].reduce(
    overlaySettings,
    usual?.initializationOptions ?? {},
  ) as object
  const isOfWorkspace = !place.trusted || program.inside || path.startsWith(`${place.workspace}/`)
  return {
    name,
    program: program.path,
    args: draft.args ?? usual?.args ?? [],
    extensions: lowerExtensions(extensions),
    initializationOptions: Object.keys(options).length > 0 ? options : undefined,
    settings: draft.settings,
    env: { ...usual?.env, ...draft.env },
    origin: path || originOf(program),
    sandboxed: isOfWorkspace ? true : undefined,
    sandbox: draft.sandbox,
  }
}

/**
 * Merges two objects key by key, including nested objects; `over` wins. If one value is not an object,
 * returns `over`, or `under` if `over` is undefined.
 */
export function overlaySettings(under: unknown, over: unknown): unknown {
  if (over === undefined) return under
  const a = objectOf(under)
  const b = objectOf(over)
  if (!a || !b) return over
  const keys = Object.keys(b).filter((key) => key !== '__proto__')
  return { ...a, ...Object.fromEntries(keys.map((key) => [key, overlaySettings(a[key], b[key])])) }
}

const originOf = (program: FoundProgram) => (program.inside ? 'workspace' : 'PATH')

/**
 * Returns the map with its extensions in lower case, as `languageOf` looks them up. Whole file
 * names are unchanged.
 */
function lowerExtensions(extensions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(extensions).map(([key, id]) => [key.startsWith('.') ? key.toLowerCase() : key, id]),
  )
}
