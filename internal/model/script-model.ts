// A model that reads its responses from a file and gives them in order, for tests,
// examples and demonstrations.
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { UserError } from '../base/errors.ts'
import { fileMessageOf } from '../base/files/errno.ts'
import { parseJson } from '../base/untrusted-json.ts'
import type { Model, ModelEvent, ModelFailure, ModelRequest } from './model.ts'
import { estimateRequest, tokensOf } from './tokens.ts'
import { finalizeCalls } from './tool-calls.ts'
import { failureKind } from './wire/endpoint-failure.ts'

const number = z.number().check(z.minimum(0))

/** One line of the file: a response, an error, or the context window of the model. */
const reply = z.strictObject({
  task: z.optional(z.string()),
  text: z.optional(z.string()),
  reasoning: z.optional(z.string()),
  /**
   * Tool calls of the response. `raw` replaces `args` by the text that a provider would send, for
   * example invalid JSON.
   */
  calls: z.optional(
    z.array(
      z.strictObject({
        name: z.string(),
        args: z.optional(z.record(z.string(), z.unknown())),
        id: z.optional(z.string()),
        raw: z.optional(z.string()),
      }),
    ),
  ),
  /** Claims and open questions (`gaps`) of the response with which a worker of a study ends its task. */
  claims: z.optional(z.array(z.looseObject({ text: z.string() }))),
  gaps: z.optional(z.array(z.string())),
  usage: z.optional(
    z.strictObject({
      in: number,
      out: number,
      /** Tokens of `in` that were read from a cache, and tokens of `in` that were written to it. */
      cached: z.optional(number),
      written: z.optional(number),
      /** Cost in US dollars; null if the price is unknown. Default: 0. */
      usd: z.optional(z.nullable(number)),
    }),
  ),
  end: z.optional(z.enum(['stop', 'calls', 'length', 'filter'])),
  error: z.optional(
    z.strictObject({
      status: z.optional(z.int()),
      message: z.optional(z.string()),
      retry_after_ms: z.optional(number),
    }),
  ),
  delay_ms: z.optional(number),
  /**
   * Context window in tokens. It is set by a line that has only this field and is not a
   * response. Default: 200,000.
   */
  window: z.optional(z.int().check(z.minimum(1))),
})
type ScriptReply = z.output<typeof reply>

/**
 * Reads the file at once and returns a model that gives its responses in order, separately for each
 * task; a request after the last response fails. Lines without `task` are for requests without a task,
 * or for all requests if no line has a task. Throws UserError for a file that cannot be read or is not a
 * list of responses.
 */
export function createScriptModel(file: string, cwd: string): Model {
  const { window = 200_000, byTask, replies } = readScript(file, resolve(cwd, file))
  const next = new Map<string | undefined, number>()

  const take = (request: ModelRequest): ScriptReply | undefined => {
    const task = byTask ? request.meta?.task : undefined
    const taskReplies = replies.get(task) ?? []
    const at = next.get(task) ?? skipReplies(taskReplies, request.meta?.taken ?? 0)
    next.set(task, at + 1)
    return taskReplies[at]
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const line = signal.aborted ? undefined : take(request)
    try {
      if (line?.delay_ms) await sleep(line.delay_ms, undefined, { signal })
      signal.throwIfAborted()
    } catch {
      // only the signal ends the sleep early
      return yield { type: 'failure', failure: { kind: 'cancelled', message: 'the request was cancelled' } }
    }
    if (line) yield* playLine(line, request)
    else yield { type: 'failure', failure: createEndFailure(file, request) }
  }
  return {
    id: `script:${file}`,
    kind: 'script',
    note: 'written replies, not a language model',
    window,
    stream,
  }
}

/**
 * Returns the index of the line that follows the first `replyCount` responses. Lines with `error` do not
 * count as responses.
 */
function skipReplies(taskReplies: readonly ScriptReply[], replyCount: number): number {
  let at = 0
  for (let remainingCount = replyCount; remainingCount > 0 && at < taskReplies.length; at++)
    if (!taskReplies[at]?.error) remainingCount--
  return at
}

function createEndFailure(file: string, { meta }: ModelRequest): ModelFailure {
  const whom = meta?.task === undefined ? '' : ` for task ${meta.task}`
  return { kind: 'script_exhausted', message: `${file} has no further reply${whom}` }
}

function* playLine(line: ScriptReply, request: ModelRequest): Generator<ModelEvent> {
  // a closing response is only the JSON, so any other text is shown before it as reasoning
  const aside = line.claims && line.text ? line.text : ''
  const text = line.claims
    ? JSON.stringify({ claims: line.claims, gaps: line.gaps ?? [] })
    : (line.text ?? '')
  const reasoning = [line.reasoning, aside].filter(Boolean).join('\n')
  if (reasoning !== '') yield { type: 'reasoning', text: reasoning }
  if (text !== '') yield { type: 'text', text }
  if (line.error) return yield { type: 'failure', failure: failureOf(line.error) }
  const drafts = (line.calls ?? []).map(({ id = '', name, args = {}, raw }) => ({
    id,
    name,
    raw: raw ?? JSON.stringify(args),
  }))
  const turn = request.messages.length
  for (const call of finalizeCalls(
    drafts,
    line.end === 'length' || line.end === 'filter',
    (i) => `s${turn}_${i + 1}`,
  ))
    yield { type: 'call', ...call }
  if (line.usage) {
    const { in: input, out: output, cached, written: cacheWrite, usd = 0 } = line.usage
    yield { type: 'usage', input, output, cached, cacheWrite, usd }
  } else {
    const output = tokensOf(text + drafts.map((draft) => draft.name + draft.raw).join(''))
    yield { type: 'usage', input: estimateRequest(request), output, usd: 0, estimated: true }
  }
  yield { type: 'end', reason: line.end ?? (drafts.length > 0 ? 'calls' : 'stop') }
}

function failureOf(error: NonNullable<ScriptReply['error']>): ModelFailure {
  const { status, message = 'scripted error', retry_after_ms: wait } = error
  const failure: ModelFailure = {
    kind: status === undefined ? 'broken' : failureKind(status, message),
    message: status === undefined ? message : `${status} ${message}`,
  }
  if (status !== undefined) failure.status = status
  if (wait !== undefined) failure.retryAfterMs = wait
  return failure
}

/** The parsed lines of a script, in their order for each task. */
interface ParsedScript {
  window: number | undefined
  /** True if at least one line names a task. */
  byTask: boolean
  replies: ReadonlyMap<string | undefined, readonly ScriptReply[]>
}

/** The script that was read last. Each of up to 1,000 tasks of a study opens the same one. */
const latest: { key?: string; script?: ParsedScript } = {}

/** Returns the script. A file that has not changed since the last call is not read again. */
function readScript(file: string, path: string): ParsedScript {
  const key = keyOf(path)
  if (latest.script && key !== undefined && latest.key === key) return latest.script
  const lines = parseScript(file, path)
  const replies = new Map<string | undefined, ScriptReply[]>()
  for (const line of lines) {
    if (line.window !== undefined) continue
    const taskReplies = replies.get(line.task)
    if (taskReplies) taskReplies.push(line)
    else replies.set(line.task, [line])
  }
  const window = lines.find((line) => line.window !== undefined)?.window
  const script = { window, byTask: [...replies.keys()].some((task) => task !== undefined), replies }
  Object.assign(latest, { key, script })
  return script
}

/** Returns a text that changes with the file; undefined if `path` is not a file that can be read. */
function keyOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true })
    return stat.isFile() ? `${path} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : undefined
  } catch {
    // The read that follows fails for the same reason, and reports it.
    return undefined
  }
}

function parseScript(file: string, path: string): ScriptReply[] {
  const hint = 'Write one JSON object per line, for example {"text": "hello"}.'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UserError(`cannot read the script: ${fileMessageOf(cause, file)}`, { hint, cause })
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    // a line that is not JSON does not match the schema either
    const parsed = z.safeParse(reply, parseJson(line))
    if (parsed.success) return [parsed.data]
    const issue = parsed.error.issues[0]
    const where = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
    const what = issue?.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}` : issue?.code
    throw new UserError(`${file} line ${i + 1} is not a response: ${what}${where}`, { hint })
  })
}
