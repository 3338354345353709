// The tool catalog: every tool in one order. A tool is found by name, and loaded only when it is called.
import { findNearest } from '../base/text/name-suggestion.ts'
import type { Level } from '../policy/level.ts'
import type { Tool } from './tool.ts'

/** The facts about a tool that are known without loading it. */
export interface ToolDescription {
  name: string
  level: Level
  /** Source of the tool: `native`, `toolbox`, `custom`, `mcp <server>`, `plugin <name>`. */
  origin: string
  /** First line of the tool's text `about`. */
  summary: string
  about: string
  /** JSON Schema of the tool's arguments, without references and without a union at its top. */
  schema: Record<string, unknown>
  example: Record<string, unknown>
  /** True if the tool starts agents. A subagent never gets such a tool. */
  spawns: boolean
  /** True if no subagent gets the tool. */
  mainOnly?: true
  /**
   * True if a model gets the tool only when a profile names it, or when the session or an adapter needs it.
   */
  optional?: true
  /** For a tool of a toolset: names of all native tools that its calls may become. */
  natives?: readonly string[]
  /** Guidance on the tool for the system prompt, if a toolset lists its tools there. */
  guidance?: string
  /** Another tool without which a model cannot use this one. */
  with?: string
  /** Names of other tools that `about` refers to. */
  mentions?: readonly string[]
  /** Support that the tool needs. `lsp`: it is offered only with a language server. */
  needs?: 'lsp'
  /** Optional support with which the tool does more. `lsp`: a language server. */
  uses?: 'lsp'
}

/** A native tool that calls of an adapter become. `args` describes in words the source of each value. */
export interface AdapterTargetDescription {
  tool: string
  when?: Readonly<Record<string, string | boolean>>
  args: Readonly<Record<string, string>>
  result?: unknown
  answers?: Readonly<Record<string, unknown>>
  faults?: Readonly<Record<string, { message?: string; hint?: string } | undefined>>
}

export interface AdapterDescription {
  toolset: string
  targets: readonly AdapterTargetDescription[]
}

export interface ToolEntry extends ToolDescription {
  /** Reason why the tool may not be used, for example because its description has changed. */
  unusable?: string
  /** For a tool of an MCP server: true if a model may have to search for it first. */
  onDemand?: boolean
  /** Set if the tool is an adapter, which has the name and parameters of a tool of another program. */
  face?: AdapterDescription
  /** Loads the tool. `raw` contains the arguments of the call, which decide the native tool of an adapter. */
  load(raw?: unknown): Promise<Tool>
}

/** A tool of the catalog with the reason why it is not offered, if so. */
export interface ListedTool extends ToolEntry {
  hidden: string | undefined
  /** True if a model gets the tool's description only after a search. The tool can always be called. */
  deferred?: boolean
}

export interface Catalog {
  readonly entries: readonly ListedTool[]
  /** The command that lists the tools of this catalog, for hints. */
  readonly listCommand: string
  /** Largest number of calls that run in parallel. Default: `maxParallelCalls` of `scheduleCalls`. */
  readonly width?: number | undefined
  /**
   * Returns the tool of a name or an accepted alias. Hidden tools are included, because the error
   * gives the reason.
   */
  find(name: string): ListedTool | undefined
  /** Returns the native tool of a name, even if only an adapter of it is listed. */
  findNative(name: string): ToolEntry | undefined
  /**
   * Returns the error message for an unknown tool name that is known elsewhere: a tool of another toolset, a
   * native tool whose work another tool does here, or a tool of an MCP server that is still starting. Returns
   * undefined for any other name.
   */
  explain?: ((name: string) => string | undefined | Promise<string | undefined>) | undefined
  /**
   * Returns the names of offered tools that are most similar to an unknown one; empty without a similar one.
   */
  near(name: string): string[]
}

/**
 * Tool names that models know from other programs, with the native names. They are never listed. A catalog of
 * native tools accepts them; one of a toolset does not.
 */
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

/** Returns the native tool name of an alias; other names unchanged. */
export function canonicalToolName(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] as string) : name
}

/** The additional parts of a catalog whose entries are adapters (tools in the form of another program). */
export interface AdapterCatalogParts extends Pick<Catalog, 'width' | 'explain'> {
  /** Name of the toolset. */
  toolset: string
  natives: readonly ToolEntry[]
}

/**
 * Creates a catalog of the entries. A catalog of native tools uses the parameter `explain`; a catalog of
 * adapters uses the `explain` in `adapters` if it is set.
 */
export function createCatalog(
  entries: readonly ListedTool[],
  adapters?: AdapterCatalogParts,
  explain?: Catalog['explain'],
): Catalog {
  // A tool that a toolset offers under its native name is also found by the name in rules and records.
  const bare = entries.filter(({ natives, face: adapter }) => natives && !adapter)
  const byName = new Map([
    ...bare.map((entry) => [entry.natives?.[0] ?? '', entry] as const),
    ...entries.map((entry) => [entry.name, entry] as const),
  ])
  return {
    entries,
    listCommand: `anode tools list${adapters ? ` --toolset ${adapters.toolset}` : ''}`,
    width: adapters?.width,
    explain: adapters?.explain ?? explain,
    // Aliases such as `Read` mean native tools, so they do not apply among the adapters of a toolset.
    find: (name) => byName.get(name) ?? (adapters ? undefined : byName.get(canonicalToolName(name))),
    findNative: (name) => (adapters ? adapters.natives.find((one) => one.name === name) : byName.get(name)),
    near: (name) => findNearest(name, listOfferedNames(entries)),
  }
}

function* listOfferedNames(entries: readonly ListedTool[]) {
  for (const entry of entries) if (entry.hidden === undefined) yield entry.name
}
