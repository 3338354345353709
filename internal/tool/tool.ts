// The tool contract, which every operation of an agent implements.
import type * as z from 'zod/mini'
import type { CallScope, Level, ToolEffect } from '../policy/level.ts'
import type { FilePreview } from './ask.ts'
import type { Ctx } from './ctx.ts'
import type { ToolResult } from './result.ts'

/** A flat object schema made with the constructors of field.ts. */
export type ToolInput = z.ZodMiniObject

/**
 * The limit of the text of a result that the caller gets. If the text is longer, the complete text is stored
 * for the tool `result`.
 */
export interface ClipLimit {
  chars: number
  lines: number
  /**
   * The part of the text to keep. `head`: the beginning. `ends`: the beginning and the end, two thirds and
   * one third. `halves`: both in equal parts, for which `chars` counts bytes of UTF-8.
   */
  keep: 'ends' | 'head' | 'halves'
  /**
   * Set if the limit of a conversation does not shorten the text further, because the omitted part could not
   * be read later.
   */
  isWhole?: true
}

/** A passage of one source as a result has shown it. Claims can refer to it. */
export interface ShownPassage {
  /** Path in the workspace, or URL. */
  canonical: string
  /** Position of the passage in the source: line ranges, or a title. */
  locator: string
  excerpt: string
  /** Titles above the passage, outermost first, joined by ` > `. */
  heading?: string
  /**
   * For a source that cannot be read again: the hash of its bytes in hex. `title` and `published` then come
   * from the source itself.
   */
  sourceSha256?: string
  title?: string
  /** Date of publication: a day, a month or a year in ISO form. */
  published?: string
}

/** The facts about a native tool that is offered under the name and parameters of another program's tool. */
interface ToolAlias {
  toolset: string
  name: string
  /** Name of the tool `result` in the same toolset; undefined if it is not offered. */
  pager: string | undefined
  /**
   * Returns the native arguments of a call. Throws FailureError for arguments that the
   * adapter itself refuses.
   */
  map(
    given: Record<string, unknown>,
    ctx: Pick<Ctx, 'env'>,
  ): { args: Record<string, unknown>; notes: readonly string[] }
}

/** The scope and effects of one call, for rules and approvals. */
export interface CallAccess {
  /** Paths, commands and hosts that permission rules are compared with. */
  scope?: CallScope[]
  /** The permission level of this call, if it is higher than that of the tool. */
  level?: Level
  /** Set if the commands of the call run in the sandbox `workspace` on machines that have a sandbox. */
  sandboxed?: true
  /** Description of the call for approvals, if that of its level does not fit. */
  does?: string | undefined
}

/** The conditions for offering a tool to a model, and its description there. */
interface ToolOffer {
  /**
   * Set for a tool that every caller may call, but that a model is offered only if a profile names it, or the
   * session or an adapter needs it.
   */
  optional?: true
  /** Another tool without which a model cannot use this one. */
  with?: string
  /**
   * Relation to language servers. `needs`: the tool is offered only with one; `uses`: it does more with one.
   */
  lsp?: 'needs' | 'uses'
  /** Set if the tool starts agents. A subagent never gets such a tool. */
  spawns?: true
  /** Set if only the agent that the user started gets the tool, and no subagent. */
  mainOnly?: true
  /**
   * Names of other tools that `about` mentions. A sentence with such a name is omitted if that tool
   * is not offered.
   */
  mentions?: readonly string[]
}

export interface Tool<I extends ToolInput = ToolInput, D = unknown> {
  /** Name of the tool; that of a native tool is in snake_case and equal to the file name. */
  name: string
  /**
   * Text for the model: the first line is the summary, the rest guidance. That of a native tool is stored in
   * an .md file of the same name.
   */
  about: string
  /** Parameters of the tool, with types, defaults, caps and descriptions in one place. */
  input: I
  /** One complete example of the arguments, which `tools show` prints and a test checks. */
  example: z.input<I>
  level: Level
  /** The conditions for offering the tool to a model. Default: it is always offered. */
  offer?: ToolOffer
  /** Set if the tool never runs in parallel with another call of the same turn, whichever effect it has. */
  alone?: true
  /** Returns the effect of a call, such as reading or writing. Default: the effect of the level. */
  effect?(args: z.output<I>): ToolEffect
  /**
   * Returns the scope and effects of a call before it is judged. An approval may judge the call again.
   * May throw FailureError.
   */
  access?(args: z.output<I>, ctx: Ctx): CallAccess
  /** Returns true if the tool can be used, otherwise a reason that a user can act on. */
  available?(ctx: Ctx): true | string
  /** Performs checks that read files and precede the approval. An error that it throws ends the call. */
  validate?(args: z.output<I>, ctx: Ctx): Promise<void>
  /** Returns the file changes for the approval. If it rejects, only arguments are shown. */
  preview?(args: z.output<I>, ctx: Ctx): Promise<FilePreview>
  clip?: ClipLimit
  /**
   * The adapter through which the tool was called. Set if `input` is not the native one; all other functions
   * get the mapped arguments.
   */
  adapter?: ToolAlias
  /**
   * Runs the call. Throws FailureError for a failure that the model can act on; `invoke` turns it into a
   * failed result. A failed result is only returned directly if the failure has a separate text or data:
   * output of a command, results so far.
   */
  run(args: z.output<I>, ctx: Ctx): Promise<ToolResult<D>>
  /** Returns the passages that a successful result has shown to a model. Default: none. */
  evidence?(data: D, text: string): Promise<ShownPassage[]>
}

/** Declares a tool. The function exists only so that the types of arguments follow from the schema. */
export function defineTool<I extends ToolInput, D>(definition: Tool<I, D>): Tool<I, D> {
  return definition
}
