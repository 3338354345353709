// Permission rules as they stand in configuration and in stored answers: their shape and its schema.
import * as z from 'zod/mini'
import { actions, type PermissionAction } from '../level.ts'

export interface PermissionRule {
  /** Canonical tool name or glob. */
  tool: string
  action: PermissionAction
  /** Command pattern for shells: words that a simple command begins with; `=line` is the exact line. */
  command?: string
  /**
   * Folder that the command runs in: glob relative to the workspace, `.` for the workspace itself, `**` for
   * any. Absent, an exact line or a program by a relative path may run in the workspace folder alone, all
   * else anywhere.
   */
  cwd?: string
  /**
   * Of the commands that begin so only those whose words are known to only test or build, or to only stage
   * and commit, which counts in a trusted workspace alone: commits run what the repository says.
   */
  class?: 'building' | 'committing'
  /** Of `curl` only what reads from this machine at this port. */
  port?: number
  /** Glob relative to the workspace; beginning with `/` or `~/` it is compared with the whole real path. */
  path?: string
  /** Name of a host, or glob. */
  host?: string
  /** Parameter name to glob or /regex/. */
  args?: Record<string, string>
  profile?: string
  agent?: 'thread' | 'subagent'
  /** Set by the program alone: allows only URLs that the session knows. */
  known?: true
  reason?: string
  examples?: { match?: string[]; no_match?: string[] }
  /** Where the rule was read: a file, `preset careful`, `answer`. Filled in by the loader. */
  origin?: string
}

const text = z.string().check(z.minLength(1))

/** The shape of one rule in a configuration file. `origin` is the loader's to add. */
const ruleSchema = z.strictObject({
  tool: text,
  action: z.enum(actions),
  command: z.optional(text),
  cwd: z.optional(text),
  class: z.optional(z.enum(['building', 'committing'])),
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  path: z.optional(text),
  host: z.optional(text),
  args: z.optional(z.record(z.string(), z.string())),
  profile: z.optional(text),
  agent: z.optional(z.enum(['thread', 'subagent'])),
  reason: z.optional(z.string()),
  examples: z.optional(
    z.strictObject({ match: z.optional(z.array(text)), no_match: z.optional(z.array(text)) }),
  ),
})

/** The value of `permissions` in a configuration file. */
export const rulesSchema = z.array(ruleSchema)
