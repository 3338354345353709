// Commands of a session with their schema.
import * as z from 'zod/mini'
import { efforts } from '../model/effort.ts'
import { modes } from '../policy/level.ts'

const text = z.string()
const index = z.int().check(z.gte(0))

const contentPart = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), mime: text, base64: text }),
  /** A file of any kind; its bytes decide how the model gets it. */
  z.object({ type: z.literal('document'), name: text, base64: text }),
])

/** What a user says: text, or text with images and documents (base64 without a `data:` prefix). */
const content = z.union([text, z.array(contentPart)])

/** A file that a message mentions, with the lines that matter, counted from 1. */
const fileMention = z.object({
  path: text,
  startLine: z.optional(z.int()),
  endLine: z.optional(z.int()),
})

/**
 * Answer to one call that waits for approval. `rules` and `parts` are indices into lists of
 * `permission.asked`, so that a client cannot invent a rule.
 */
const permissionAnswerSchema = z.union([
  z.object({
    allow: z.literal(true),
    scope: z.enum(['once', 'session', 'workspace']),
    rules: z.array(index),
  }),
  z.object({
    allow: z.literal(false),
    /** The user's message for the model, as the hint of the failed call. */
    words: z.optional(text),
    /**
     * Indices of the parts of a compound command because of which it is denied. The other parts may
     * run without them.
     */
    parts: z.optional(z.array(index)),
    /** True if the run ends as well. */
    stop: z.optional(z.boolean()),
  }),
])

const questionAnswerSchema = z.union([
  z.object({
    status: z.literal('answered'),
    answers: z.array(z.object({ id: text, option: z.optional(text), text: z.optional(text) })),
  }),
  z.object({ status: z.literal('dismissed') }),
])

/**
 * Set for a prompt of an MCP server. The message is rejected if that server does not exist, instead of being
 * sent as text.
 */
const isCommand = z.optional(z.literal(true))

export const sessionCommandSchema = z.union([
  /**
   * Starts a run with a message. If a run is active, the message is queued. An empty message starts a run
   * with the queued messages. The instructions of `skill` are added.
   */
  z.object({
    type: z.literal('say'),
    content,
    files: z.optional(z.array(fileMention)),
    skill: z.optional(z.object({ name: text, input: text })),
    isCommand,
  }),
  /**
   * Sends a message to the active run; the model gets the message before its next step. Without an active
   * run, starts one.
   */
  z.object({ type: z.literal('steer'), content, files: z.optional(z.array(fileMention)), isCommand }),
  /**
   * Queues a message, which starts a separate run after the active one has ended with `done`. Without an
   * active run, starts one at once.
   */
  z.object({ type: z.literal('queue'), content, files: z.optional(z.array(fileMention)), isCommand }),
  /** Removes a message from the queue that the model has not received yet. */
  z.object({ type: z.literal('unqueue'), message: text }),
  /**
   * Stops `call`: a call, the subagent with this thread, or a background job. Default: the active run, or
   * without a run all calls that the user has started. `leaves`: the user is closing the screen, so commands
   * get less time to end.
   */
  z.object({ type: z.literal('interrupt'), call: z.optional(text), leaves: z.optional(z.boolean()) }),
  z.object({ type: z.literal('answer_permission'), call: text, answer: permissionAnswerSchema }),
  /** Lists the rules of this session, after revoking the rule with the id `forget`. */
  z.object({ type: z.literal('session_rules'), forget: z.optional(text) }),
  z.object({ type: z.literal('answer_question'), call: text, answer: questionAnswerSchema }),
  z.object({ type: z.literal('set_profile'), name: text }),
  z.object({ type: z.literal('set_model'), model: text }),
  /** Sets the reasoning effort of the model, from the next run on. */
  z.object({ type: z.literal('set_effort'), effort: z.enum(efforts) }),
  /** Adds a directory that tools and commands may use in addition to the workspace, from the next run on. */
  z.object({ type: z.literal('add_dir'), path: text }),
  /** Sets the mode; in `plan` only the plan file is written until the mode ends. */
  z.object({ type: z.literal('set_mode'), mode: z.enum([...modes, 'plan']) }),
  /** Runs a shell command of the user. With `tell`, the model gets its result with the next message. */
  z.object({ type: z.literal('run_shell'), line: text, tell: z.boolean() }),
  /** Compacts the conversation; `focus` is the subject that the summary must keep. */
  z.object({ type: z.literal('compact'), focus: z.optional(text) }),
  /**
   * Restores files to their state after event `to`. Default: reverts the latest run whose changes are not
   * undone yet; with `redo`, reverts the latest undo. Without `preview`, only shows a preview. With the id of
   * a preview, applies exactly the previewed changes, or none.
   */
  z.object({
    type: z.literal('undo'),
    to: z.optional(index),
    preview: z.optional(text),
    redo: z.optional(z.boolean()),
  }),
  /**
   * Sets a command that has to pass before runs end, and starts a run. The argument `check` runs the command,
   * `stop` removes it, and an empty one shows it.
   */
  z.object({ type: z.literal('goal'), argument: text }),
  z.object({ type: z.literal('rename'), title: text }),
  /**
   * Forks the thread with its events up to `at`, or with all events without `at`. The reply contains
   * the new thread.
   */
  z.object({ type: z.literal('fork'), at: z.optional(index) }),
])

/** Effort levels from least to most. A model uses the nearest level that it supports. */
export const effortLevels = efforts

export type SessionCommand = z.output<typeof sessionCommandSchema>
export type SayContent = z.output<typeof content>
export type PermissionAnswer = z.output<typeof permissionAnswerSchema>
export type QuestionAnswer = z.output<typeof questionAnswerSchema>
export type FileMention = z.output<typeof fileMention>
