// What is known of a language server before it is started.

import type { SandboxRequest } from '../../process/process-command.ts'
import type { ServerPlaces } from '../../process/server-sandbox.ts'

/** A server as configured or found, complete: what is written here is what runs. */
export interface LspServerEntry {
  name: string
  /** Absolute path of the program. */
  program: string
  args: readonly string[]
  /** Endings with their dot, or whole file names, to the language id that the protocol has for them. */
  extensions: Readonly<Record<string, string>>
  initializationOptions?: unknown
  settings?: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string>>
  /** Where it is known from: a file, `PATH`, or the workspace's own programs. */
  origin: string
  /** The workspace has a say in what runs: its program, its configuration, or files nobody has trusted. */
  sandboxed?: boolean
  /** What the configuration says that its wall leaves open; then it has one in any case. */
  sandbox?: ServerPlaces
  /** Absent: it runs as the person does. */
  sandboxRequest?: SandboxRequest
}

/** What a configuration file may say of a server; everything but the name may come from elsewhere. */
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

/** The language id of a file, or undefined when the server is not for it. */
export function languageOf(entry: Pick<LspServerEntry, 'extensions'>, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (Object.hasOwn(entry.extensions, name)) return entry.extensions[name]
  // `.d.ts` may be listed beside `.ts`: the longest ending counts
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    const ending = name.slice(at).toLowerCase()
    if (Object.hasOwn(entry.extensions, ending)) return entry.extensions[ending]
  }
  return undefined
}
