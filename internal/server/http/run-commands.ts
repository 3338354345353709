// Schemas of the bodies that start runs, studies, builds and experiments over HTTP, and the scope that each
// command to a run needs.
import * as z from 'zod/mini'
import { fileModelMessage, namesFileModel } from '../../base/text/file-model.ts'
import { modes } from '../../policy/level.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { AccessScope } from './access-tokens.ts'

const text = z.string().check(z.minLength(1))
const optional = z.optional(text)
const providerModel = text.check(
  z.refine((spec) => !namesFileModel(spec), {
    error: ({ input }) => fileModelMessage(String(input), 'a request'),
  }),
)

export const runWishesSchema = z.strictObject({
  task: text,
  workspace: text,
  profile: optional,
  model: z.optional(providerModel),
  mode: z._default(z.enum(modes), 'ask'),
  until: z.optional(z.array(text)),
  fork: z.optional(z.strictObject({ thread: text, at: z.optional(z.int().check(z.positive())) })),
})

export const studyWishesSchema = z.strictObject({
  question: text,
  workspace: text,
  model: z.optional(providerModel),
})

export const buildWishesSchema = z.strictObject({
  workspace: text,
  goal: z.optional(text),
  plan: z.optional(text),
  until: z.optional(z.array(text)),
  workers: z.optional(z.int().check(z.positive())),
  model: z.optional(providerModel),
})

export const researchWishesSchema = z.strictObject({
  workspace: text,
  name: text,
  metric: text,
  direction: z.enum(['lower', 'higher']),
  command: text,
  scope: z.optional(z.array(text)),
  model: z.optional(providerModel),
  runs: z.optional(z.int().check(z.positive())),
})

const approving: readonly SessionCommand['type'][] = ['answer_permission', 'run_shell', 'set_mode', 'add_dir']

/**
 * Returns the scope that a command needs: `approve` for answers to approvals, shell commands, modes and added
 * directories, which may allow more than the user has allowed before; else `act`.
 */
export const scopeOfCommand = ({ type }: SessionCommand): AccessScope =>
  approving.includes(type) ? 'approve' : 'act'
