// Description of a language server before its start.

import type { SandboxRequest } from '../../process/process-command.ts'
import type { ServerPlaces } from '../../process/server-sandbox.ts'

/** A complete server entry, configured or found, as it will run. */
export interface LspServerEntry {
  name: string
  /** Absolute path of the program. */
  program: string
  args: readonly string[]
  /** Protocol language ids by file extension with its dot, or by whole file name. */
  extensions: Readonly<Record<string, string>>
  initializationOptions?: unknown
  settings?: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string>>
  /**
   * Origin of the entry: the path of its configuration file, `PATH`, or `workspace` for a found program
   * of the workspace.
   */
  origin: string
  /**
   * True if the server must run in a sandbox, because the workspace affects what it runs: its program, its
   * configuration, or untrusted files.
   */
  sandboxed?: boolean
  /** What the sandbox permits, from the configuration; a server with this setting is always sandboxed. */
  sandbox?: ServerPlaces
  /** Sandbox of the server. Default: it runs with the user's permissions. */
  sandboxRequest?: SandboxRequest
}

/**
 * A server in one configuration file. Missing fields are filled from other files or from the known servers.
 */
export interface LspServerDraft {
  command?: string
  args?: readonly string[]
  extensions?: Readonly<Record<string, string>>
  initializationOptions?: unknown
  settings?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string>>
  disabled?: boolean
  sandbox?: ServerPlaces
}

/** Returns the language id of a file, or undefined if the server does not support it. */
export function languageOf(entry: Pick<LspServerEntry, 'extensions'>, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (Object.hasOwn(entry.extensions, name)) return entry.extensions[name]
  // `.d.ts` may be listed next to `.ts`: the longest extension wins
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    const ending = name.slice(at).toLowerCase()
    if (Object.hasOwn(entry.extensions, ending)) return entry.extensions[ending]
  }
  return undefined
}
