// Schemas of parts of events: the end of a subagent, unanswered calls, file changes, questions, goal
// checks and reviews.
import * as z from 'zod/mini'

const openRecord = z.record(z.string(), z.unknown())

/** The end of a subagent, its recorded actions and its usage. `usd` is null if a price is unknown. */
export const childEnd = z.object({
  end: z.string(),
  reason: z.optional(z.string()),
  thread: z.string(),
  receipts: z.optional(
    z.object({
      read: z.array(z.string()),
      searched: z.optional(z.array(z.string())),
      changed: z.array(z.string()),
      obeyed: z.optional(z.array(z.string())),
      commands: z.array(
        z.object({
          command: z.string(),
          exit: z.nullable(z.number()),
          pipe: z.optional(z.array(z.number())),
          pipes: z.optional(z.array(z.array(z.number()))),
        }),
      ),
    }),
  ),
  turns: z.number(),
  calls: z.number(),
  tokens: z.number(),
  usd: z.nullable(z.number()),
  ms: z.number(),
})

/**
 * Calls of one tool with the same subject that were denied because no user could approve them; `count` is
 * their number. In the mode `mode` or with the rule `rule` they would have run without a question.
 */
export const unansweredCall = z.object({
  tool: z.string(),
  subject: z.string(),
  count: z.number(),
  mode: z.optional(z.string()),
  rule: z.optional(openRecord),
})

/**
 * The change of one file by a call. `hunks` are those of a unified diff, without the lines with
 * the file names.
 */
export const fileDiff = z.object({
  path: z.string(),
  what: z.string(),
  hunks: z.string(),
  added: z.number(),
  removed: z.number(),
})

export const userQuestion = z.object({
  id: z.string(),
  question: z.string(),
  reason: z.exactOptional(z.string()),
  topic: z.exactOptional(z.string()),
  options: z.array(z.object({ id: z.string(), label: z.string(), description: z.exactOptional(z.string()) })),
  allowFreeform: z.boolean(),
  required: z.boolean(),
})

/**
 * A check: commands that must succeed to prove the work, with its limits. `id` identifies the stored
 * originals of the files that match `seal`; `timeout_ms` limits each command.
 */
export const goalTerms = z.object({
  id: z.string(),
  commands: z.array(z.string()),
  attempts: z.number(),
  timeout_ms: z.number(),
  seal: z.array(z.string()),
  allow: z.array(z.string()),
  /** Hosts that the commands of the check may reach. */
  network: z.array(z.string()),
})

const ranCommand = z.object({
  command: z.string(),
  exit: z.nullable(z.number()),
  ms: z.number(),
  /** Reason why Anode stopped the command; missing if the command ended by itself. */
  ended: z.optional(z.string()),
  /** `restored`: the command ran with the original tests; `kept`: with the files of the workspace. */
  originals: z.string(),
})

/**
 * Progress of a check: the command that runs now, or null at the end of the check. The event is shown but
 * never stored. `attempt` is 0 for the check before the first request.
 */
export const checkRunning = z.object({
  check: z.nullable(
    z.object({
      command: z.string(),
      attempt: z.number(),
      limit: z.number(),
      /** `restored`: the command runs with the original tests; `kept`: with the files of the workspace. */
      originals: z.string(),
    }),
  ),
})

/**
 * The result of a check. `attempt` is 0 for the check before the first request. The model reads the output
 * with the tool `result` and the id `call`; the blob `whole` stores all of the output.
 */
export const checkRun = z.object({
  call: z.string(),
  attempt: z.number(),
  limit: z.number(),
  state: z.enum(['proven', 'unproven']),
  reason: z.optional(z.string()),
  /** Id of the state of all files: `tree` after the check, `on` before it. */
  tree: z.string(),
  on: z.string(),
  checks: z.array(ranCommand),
  changed: z.array(z.string()),
  /** The end of the output of the command that failed. */
  text: z.string(),
  whole: z.optional(z.string()),
})

/**
 * The summary of all checks of a run, stored as evidence. `before` is the result of the check before the
 * first request, or null if that check did not run.
 */
export const runProof = z.object({
  state: z.enum(['proven', 'unproven']),
  reason: z.optional(z.string()),
  attempts: z.number(),
  limit: z.number(),
  before: z.nullable(z.enum(['pass', 'fail'])),
  /** True if the check gave different results, pass and fail, for the same files. */
  flaky: z.optional(z.boolean()),
  tree: z.string(),
  sandbox: z.string(),
  /** `output` is the id with which the tool `result` returns the output of the command. */
  checks: z.array(z.extend(ranCommand, { output: z.string() })),
  sealed: z.array(z.string()),
  changed: z.array(z.string()),
  allowed: z.array(z.string()),
})

/**
 * Verdict of a model that reviews a call in place of the user. `pass` leaves the decision to the user.
 * `failed`: the model failed or was late. `void`: the call, its preview or the permissions changed
 * during the review.
 */
export const approvalReview = z.object({
  /** Hash of the call, its directory, the permission rules and the preview. */
  hash: z.string(),
  verdict: z.enum(['allow', 'pass', 'failed', 'void']),
  reason: z.string(),
  model: z.string(),
  ms: z.optional(z.number()),
})
