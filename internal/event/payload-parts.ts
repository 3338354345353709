// Parts of event payloads that describe ends, changes and questions.
import * as z from 'zod/mini'

const openRecord = z.record(z.string(), z.unknown())

/** How a child agent ended, and what it took; `usd` is null where a price is unknown. */
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

/** A call that no one could approve; `mode` and `rule` would have let it run. */
export const unansweredCall = z.object({
  tool: z.string(),
  subject: z.string(),
  count: z.number(),
  mode: z.optional(z.string()),
  rule: z.optional(openRecord),
})

/** What a call would make of one file: hunks of a unified diff without the lines that name the file. */
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
