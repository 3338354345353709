// The tool catalog: every tool there is, in one order, found by name, loaded only when it is run.
import { findNearest } from '../base/text/name-suggestion.ts'
import type { Level } from '../policy/level.ts'
import type { Tool } from './tool.ts'

/** What can be said of a tool without loading it. */
export interface ToolDescription {
  name: string
  level: Level
  /** Where it comes from: `native`, `toolbox`, `custom`, `mcp <server>`, `plugin <name>`. */
  origin: string
  /** First line of `about`. */
  summary: string
  about: string
  /** JSON Schema of the arguments, flat. */
  schema: Record<string, unknown>
  example: Record<string, unknown>
  /** Starts other agents; a child is never offered it. */
  spawns: boolean
  /** Offered to a model only where it is named or a face needs it. */
  optional?: true
  /** Of a face: every native tool that its calls may become. */
  natives?: readonly string[]
  /** What a system prompt says of its use, where a toolset lists tools there. */
  guidance?: string
  /** Of no use to a model that is not offered this other tool. */
  with?: string
  /** Other tools that `about` refers to. */
  mentions?: readonly string[]
  /** Only offered where there is one of these. */
  needs?: 'lsp'
  /** Does more where there is one of these. */
  uses?: 'lsp'
}

/** One native tool that calls of a face become; `args` say in words where each value comes from. */
export interface FaceTargetDescription {
  tool: string
  when?: Readonly<Record<string, string | boolean>>
  args: Readonly<Record<string, string>>
  result?: unknown
  answers?: Readonly<Record<string, unknown>>
  faults?: Readonly<Record<string, { message?: string; hint?: string } | undefined>>
}

export interface FaceDescription {
  toolset: string
  targets: readonly FaceTargetDescription[]
}

export interface ToolEntry extends ToolDescription {
  /** Why nobody may use it, for example because what it says of itself has changed. */
  unusable?: string
  /** Of a tool of an MCP server: whether a model may have to search for it before it is told of it. */
  onDemand?: boolean
  /** Present where the tool is a face of a toolset. */
  face?: FaceDescription
  /** `raw` are the arguments of the call, which decide what a face stands for. */
  load(raw?: unknown): Promise<Tool>
}

/** A tool with the reason why it is not offered, if it is not. */
export interface ListedTool extends ToolEntry {
  hidden: string | undefined
  /** A model is not told of it until it searches; it may be called all the same. */
  deferred?: boolean
}

export interface Catalog {
  readonly entries: readonly ListedTool[]
  /** The command that lists these tools, for hints. */
  readonly listCommand: string
  /** Reads that run side by side; absent: as many as usual. */
  readonly width?: number | undefined
  /** The entry of a name or of an accepted alias; hidden ones too, so that the reason can be given. */
  find(name: string): ListedTool | undefined
  /** The native tool of a name, also where only a face of it is listed. */
  findNative(name: string): ToolEntry | undefined
  /** What an unknown name is elsewhere, in words. */
  explain?: ((name: string) => string | undefined | Promise<string | undefined>) | undefined
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

/** What a catalog of faces has besides its entries. */
export interface FaceCatalogParts extends Pick<Catalog, 'width' | 'explain'> {
  /** Name of the toolset. */
  toolset: string
  natives: readonly ToolEntry[]
}

/** `explain` is for the native tools as they are; faces bring their own. */
export function createCatalog(
  entries: readonly ListedTool[],
  faces?: FaceCatalogParts,
  explain?: Catalog['explain'],
): Catalog {
  // a tool under its bare name is found by the name that rules and records have too
  const bare = entries.filter(({ natives, face }) => natives && !face)
  const byName = new Map([
    ...bare.map((entry) => [entry.natives?.[0] ?? '', entry] as const),
    ...entries.map((entry) => [entry.name, entry] as const),
  ])
  return {
    entries,
    listCommand: `anode tools list${faces ? ` --toolset ${faces.toolset}` : ''}`,
    width: faces?.width,
    explain: faces?.explain ?? explain,
    // names known from elsewhere stand for native tools, not for those of other programs
    find: (name) => byName.get(name) ?? (faces ? undefined : byName.get(canonicalToolName(name))),
    findNative: (name) => (faces ? faces.natives.find((one) => one.name === name) : byName.get(name)),
    near: (name) => findNearest(name, offered(entries)),
  }
}

function* offered(entries: readonly ListedTool[]) {
  for (const entry of entries) if (entry.hidden === undefined) yield entry.name
}
