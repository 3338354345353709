// The commands of a session: all that a client can ask for, with the schema that they are checked by.
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

/** A file that was named in a message, with the lines that are meant, counted from 1. */
const fileMention = z.object({
  path: text,
  startLine: z.optional(z.int()),
  endLine: z.optional(z.int()),
})

/**
 * The answer to one call that waits. `rules` and `parts` are indices into what `permission.asked` holds, so
 * that no client can write a rule of its own.
 */
const permissionAnswerSchema = z.union([
  z.object({
    allow: z.literal(true),
    scope: z.enum(['once', 'session', 'workspace']),
    rules: z.array(index),
  }),
  z.object({
    allow: z.literal(false),
    /** Given to the model as the hint of the failed call. */
    words: z.optional(text),
    /** For the sake of which parts of the line; the others may run without them. */
    parts: z.optional(z.array(index)),
    /** Ends the run as well. */
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

/** Meant for the prompt of a server: refused where there is no such server, instead of being said. */
const isCommand = z.optional(z.literal(true))

export const sessionCommandSchema = z.union([
  /** Begins a run; while one goes on it is queued. `skill`: its instructions go along. */
  z.object({
    type: z.literal('say'),
    content,
    files: z.optional(z.array(fileMention)),
    skill: z.optional(z.object({ name: text, input: text })),
    isCommand,
  }),
  /** Taken before the model's next step. */
  z.object({ type: z.literal('steer'), content, files: z.optional(z.array(fileMention)), isCommand }),
  /** A run of its own after this one has ended with `done`. */
  z.object({ type: z.literal('queue'), content, files: z.optional(z.array(fileMention)), isCommand }),
  /** Takes back what the model has not been given. */
  z.object({ type: z.literal('unqueue'), message: text }),
  /** `call`: only this call, the child with this thread, or this job; absent: all that goes on. */
  z.object({ type: z.literal('interrupt'), call: z.optional(text) }),
  z.object({ type: z.literal('answer_permission'), call: text, answer: permissionAnswerSchema }),
  /** Lists the rules that end with this session; the one of the number `forget` is taken back before. */
  z.object({ type: z.literal('session_rules'), forget: z.optional(text) }),
  z.object({ type: z.literal('answer_question'), call: text, answer: questionAnswerSchema }),
  z.object({ type: z.literal('set_profile'), name: text }),
  z.object({ type: z.literal('set_model'), model: text }),
  /** How hard the model is to think, from the next run on. */
  z.object({ type: z.literal('set_effort'), effort: z.enum(efforts) }),
  /** A folder beside the workspace, for tools and commands from the next run on. */
  z.object({ type: z.literal('add_dir'), path: text }),
  /** `plan`: nothing but the plan is written until it is left. */
  z.object({ type: z.literal('set_mode'), mode: z.enum([...modes, 'plan']) }),
  /** A line of the person's own; with `tell` the model hears of it with the next message. */
  z.object({ type: z.literal('run_shell'), line: text, tell: z.boolean() }),
  /** `focus`: what the summary is to keep above all. */
  z.object({ type: z.literal('compact'), focus: z.optional(text) }),
  /**
   * Files back to how they were after event `to`, absent: before the last run. Without `preview` it only
   * shows; with the id of what was shown it does exactly that, or nothing.
   */
  z.object({ type: z.literal('undo'), to: z.optional(index), preview: z.optional(text) }),
  z.object({ type: z.literal('rename'), title: text }),
  /** A copy up to event `at`, absent: of all there is; the reply names its thread. */
  z.object({ type: z.literal('fork'), at: z.optional(index) }),
])

/** From least to most; a model takes the nearest that it knows. */
export const effortLevels = efforts

export type SessionCommand = z.output<typeof sessionCommandSchema>
export type PermissionAnswer = z.output<typeof permissionAnswerSchema>
export type QuestionAnswer = z.output<typeof questionAnswerSchema>
export type FileMention = z.output<typeof fileMention>
