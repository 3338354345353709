// Permission rules of configuration files and stored answers: their shape and its schema.
import * as z from 'zod/mini'
import { actions, type PermissionAction } from '../level.ts'

export interface PermissionRule {
  /** Canonical name of a tool, or a glob for such names. */
  tool: string
  action: PermissionAction
  /** Command pattern for shells: the first words of a simple command. `=line` is the exact line. */
  command?: string
  /**
   * Directory that the command runs in: a glob relative to the workspace, `.` for the workspace itself, `**`
   * for any. Default: any directory, but the workspace directory for a rule that allows an exact line or a
   * program with a relative path.
   */
  cwd?: string
  /**
   * Limits a rule that allows to commands that are known to only test or build, or to only stage and commit.
   * `committing` counts only in a trusted workspace, because commits run programs of the repository.
   */
  class?: 'building' | 'committing'
  /** Limits a rule for `curl` to reads from this port of the local machine. */
  port?: number
  /**
   * Glob relative to the workspace. A glob that begins with `/` or `~/` is compared with the whole real path.
   */
  path?: string
  /** Name of a host, or a glob. */
  host?: string
  /** Parameters of the call that must match: a name, with a glob or /regex/ for the value. */
  args?: Record<string, string>
  profile?: string
  agent?: 'thread' | 'subagent'
  /** Set only by Anode itself: the rule allows only URLs that occurred in the session before. */
  known?: true
  reason?: string
  examples?: { match?: string[]; no_match?: string[] }
  /** Source of the rule: a file, `preset careful`, `answer`. Set by the loader. */
  origin?: string
}

const text = z.string().check(z.minLength(1))

/** The schema of one rule in a configuration file, without `origin`, which the loader adds. */
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

/** The schema of `permissions` in a configuration file. */
export const rulesSchema = z.array(ruleSchema)
