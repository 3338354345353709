// The tool contract: everything that can be done is a Tool.
import type * as z from 'zod/mini'
import type { CallScope, Level, ToolEffect } from '../policy/level.ts'
import type { FilePreview } from './ask.ts'
import type { Ctx } from './ctx.ts'
import type { ToolResult } from './result.ts'

/** A flat object schema made with the constructors of field.ts. */
export type ToolInput = z.ZodMiniObject

/** How much of `text` reaches the model. What is cut is kept whole for the tool `result` to page. */
export interface ClipLimit {
  chars: number
  lines: number
  /** `ends` keeps the beginning and the end, `head` the beginning; `halves` as clip-halves.ts has it. */
  keep: 'ends' | 'head' | 'halves'
  /** The room of a conversation does not shorten it: what is cut could not be read later. */
  isWhole?: true
}

/** A stretch of one source as a result has shown it: claims can point at it. */
export interface ShownPassage {
  /** Path below the workspace, or address. */
  canonical: string
  /** Where in the source: line ranges, or a title. */
  locator: string
  excerpt: string
  /** Titles that it stands under, outermost first, joined by ` > `. */
  heading?: string
  /** Of a source that cannot be read again: the hash of its bytes in hex, and what it says of itself. */
  sourceSha256?: string
  title?: string
  /** A day, a month or a year in ISO form. */
  published?: string
}

/** A native tool under the name and parameters of a toolset. */
interface ToolAlias {
  toolset: string
  name: string
  /** Name under which the tool `result` is offered beside it; absent: it is not. */
  pager: string | undefined
  /** The native arguments; throws FailureError for what the face itself refuses. */
  map(
    given: Record<string, unknown>,
    ctx: Pick<Ctx, 'env'>,
  ): { args: Record<string, unknown>; notes: readonly string[] }
}

/** What one call touches and may do: rules judge it, approvals show it. */
export interface CallAccess {
  /** Paths, commands and hosts that rules are matched against. */
  scope?: CallScope[]
  /** The level of this call, where it is higher than that of the tool. */
  level?: Level
  /** Its commands start in the sandbox `workspace` where this machine has one. */
  sandboxed?: true
  /** What the call does, in words for approvals, where those of its level do not fit. */
  does?: string | undefined
}

/** When a tool is offered to a model, and how it is described there. */
interface ToolOffer {
  /** Known to every caller, but offered to a model only where a profile names it or an adapter needs it. */
  optional?: true
  /** Only useful to a model that is offered this other tool. */
  with?: string
  /** `needs`: offered only where a language server is set up; `uses`: does more where one is. */
  lsp?: 'needs' | 'uses'
  /** Starts other agents: a subagent is never offered it. */
  spawns?: true
  /** Other tools that `about` names; a sentence with one is omitted where that tool is not offered. */
  mentions?: readonly string[]
}

export interface Tool<I extends ToolInput = ToolInput, D = unknown> {
  /** snake_case, equal to the file name. */
  name: string
  /** Prose for the model: the first line is the summary, the rest guidance. Lives in a sibling .md file. */
  about: string
  /** Parameters with types, defaults, caps and descriptions in one place. */
  input: I
  /** One complete example of arguments; shown by `tools show` and checked by a test. */
  example: z.input<I>
  level: Level
  /** When a model is offered the tool. Default: always. */
  offer?: ToolOffer
  /** Never runs beside another call of the same turn, whatever its effect. */
  alone?: true
  /** Defaults to what the level implies. */
  effect?(args: z.output<I>): ToolEffect
  /** Reads what a call touches and may do. Called once, before the call is judged; may throw FailureError. */
  access?(args: z.output<I>, ctx: Ctx): CallAccess
  /** true, or a reason a person can act on. */
  available?(ctx: Ctx): true | string
  /** Checks that need the tree and come before anyone is asked for approval; what it throws ends the call. */
  validate?(args: z.output<I>, ctx: Ctx): Promise<void>
  /** What the call would make of files, for whoever is asked. May reject: then only arguments are shown. */
  preview?(args: z.output<I>, ctx: Ctx): Promise<FilePreview>
  clip?: ClipLimit
  /** Present where `input` is not the native one: what all else gets are the arguments that it maps to. */
  face?: ToolAlias
  /**
   * Throws FailureError for what the model can act on, which `invoke` turns into a failed result. Only a
   * failure that comes with text or data of its own is returned: output of a command, results so far.
   */
  run(args: z.output<I>, ctx: Ctx): Promise<ToolResult<D>>
  /** What a successful result, as a model reads it, has shown of which source; absent: it shows none. */
  evidence?(data: D, text: string): Promise<ShownPassage[]>
}

/** Declares a tool; exists only so that the argument types follow from the schema. */
export function defineTool<I extends ToolInput, D>(definition: Tool<I, D>): Tool<I, D> {
  return definition
}
