// The tool catalog: every tool there is, in one order, found by name, loaded only when it is run.
import { findNearest } from '../base/text/name-suggestion.ts'
import type { Level } from '../policy/level.ts'
import type { Tool } from './tool.ts'

/** What can be said of a tool without loading it. */
export interface ToolDescription {
  name: string
  level: Level
  /** Where it comes from: `native`, `toolbox`, `mcp <server>`, `plugin <name>`. */
  origin: string
  /** First line of `about`. */
  summary: string
  about: string
  /** JSON Schema of the arguments, flat. */
  schema: Record<string, unknown>
  example: Record<string, unknown>
  /** Starts other agents; a child is never offered it. */
  spawns: boolean
  /** Only offered where there is one of these. */
  needs?: 'lsp'
}

export interface ToolEntry extends ToolDescription {
  /** Why nobody may use it, for example because what it says of itself has changed. */
  unusable?: string
  load(): Promise<Tool>
}

/** A tool with the reason why it is not offered, if it is not. */
export interface ListedTool extends ToolEntry {
  hidden: string | undefined
}

export interface Catalog {
  readonly entries: readonly ListedTool[]
  /** The entry of a name or of an accepted alias; hidden ones too, so that the reason can be given. */
  find(name: string): ListedTool | undefined
  /** The names nearest to an unknown one. */
  near(name: string): string[]
}

/** Names that models know from elsewhere. Accepted, never listed. */
const aliases: Readonly<Record<string, string>> = {
  shell_command: 'bash',
  shell: 'bash',
  Bash: 'bash',
  Read: 'read',
  Grep: 'grep',
  Glob: 'glob',
  Edit: 'edit_file',
  Write: 'create_file',
}

/** The canonical name behind an alias, else the name itself. */
export function canonicalToolName(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] as string) : name
}

export function createCatalog(entries: readonly ListedTool[]): Catalog {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    entries,
    find: (name) => byName.get(name) ?? byName.get(canonicalToolName(name)),
    near: (name) => findNearest(name, offered(entries)),
  }
}

function* offered(entries: readonly ListedTool[]) {
  for (const entry of entries) if (entry.hidden === undefined) yield entry.name
}
