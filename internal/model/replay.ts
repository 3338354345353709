// Recordings of a model's responses in a file, and answers from such a file without a real model.

import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import { fileMessageOf } from '../base/files/errno.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import type { Model, ModelEvent, ModelFailure, ModelMessage, ModelRequest } from './model.ts'
import { identifyRequest, type RequestIdentity, translateIds } from './request-hash.ts'
import { contentText } from './tokens.ts'
import { redactLine as oneLine, redactKeys } from './wire/key-redaction.ts'

/** One line of a recording. */
export interface RecordedReply extends RequestIdentity {
  /** Description of the request for users who read the file; a replay does not use it. */
  about: { task?: string; purpose?: string; messages: number; last: string }
  /** Set if the response came from the rules of builtin/extract and not from a language model. */
  kind?: 'rules'
  /** Model of the request, in a recording of a whole command. */
  model?: string
  /** Milliseconds since 1970 at the end of the response. */
  at?: number
  /** Milliseconds since 1970, with fractions, at the start of the request. */
  began?: number
  events: ModelEvent[]
}

interface RecordOptions {
  file: string
  cwd: string
  /** Values that must not be written to the file. */
  keys: readonly string[]
  /** Set for a recording of a whole command: the model keeps its id, and failures are recorded too. */
  isWhole?: true
}

/**
 * Returns the model with a recording. Every finished response is appended to the file, with `keys` removed,
 * before its end is passed on; with `isWhole` also every failure except a cancellation. If the file cannot be
 * written, a failure is yielded instead of the end.
 */
export function recordModel(model: Model, { file, cwd, keys, isWhole }: RecordOptions): Model {
  const path = resolve(cwd, file)
  // the file may contain a key in its JSON form
  const secrets = [...keys, ...keys.map((key) => JSON.stringify(key).slice(1, -1))]
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let events: ModelEvent[] = []
    const began = performance.timeOrigin + performance.now()
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'discarded') events = []
      else if (event.type !== 'notice') events.push(event)
      const isLost = event.type === 'failure' && event.failure.kind !== 'cancelled'
      if (event.type === 'end' || (isWhole && isLost)) {
        const entry: RecordedReply = {
          ...identifyRequest(request, cwd),
          about: describeRequest(request, keys),
          kind: model.kind === 'rules' ? 'rules' : undefined,
          model: isWhole ? model.id : undefined,
          at: isWhole ? Date.now() : undefined,
          began: isWhole ? began : undefined,
          events: joinPieces(events),
        }
        try {
          makeDirectory(dirname(path))
          await appendFile(path, `${redactKeys(JSON.stringify(entry), secrets)}\n`)
        } catch (error) {
          const message = `cannot write the recording ${file}: ${messageOf(error)}`
          return yield { type: 'failure', failure: { kind: 'internal', message } }
        }
      }
      yield event
    }
  }
  return { ...model, id: isWhole ? model.id : `record:${file},${model.id}`, stream }
}

function describeRequest({ meta, messages }: ModelRequest, keys: readonly string[]): RecordedReply['about'] {
  const last = messages.at(-1)
  return {
    task: meta?.task,
    purpose: meta?.purpose,
    messages: messages.length,
    last: last ? `${last.role}: ${oneLine(contentText(last.content), keys, 120)}` : '',
  }
}

/** Joins consecutive pieces of text, and of reasoning, because their boundaries are random. */
function joinPieces(events: readonly ModelEvent[]): ModelEvent[] {
  const out: ModelEvent[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (last && (event.type === 'text' || event.type === 'reasoning') && last.type === event.type) {
      out[out.length - 1] = { type: event.type, text: last.text + event.text }
    } else {
      out.push(event)
    }
  }
  return out
}

/**
 * Creates a model that answers recorded requests. Equal requests get their responses in recorded order, the
 * last one repeatedly. Any other request is a `replay_miss`. Throws UserError for a file that cannot be read
 * or is not a recording.
 */
export function createReplayModel(file: string, cwd: string): Model {
  const recorded = readReplies(file, cwd)
  const isByRules = recorded.length > 0 && recorded.every(({ kind }) => kind === 'rules')
  return {
    id: `replay:${file}`,
    kind: isByRules ? 'rules' : 'script',
    note: 'recorded replies',
    window: 200_000,
    stream: replayReplies(file, recorded, cwd),
  }
}

/**
 * Called for each request with the recorded line that is used as its response, or with undefined if
 * no line matches.
 */
type ReplayObserver = (entry: RecordedReply | undefined) => void

/** Number of times that each request was made, by the hash of the request and the model. */
export type ReplayCounts = Map<string, number>

interface ReplayOptions {
  observe?: ReplayObserver
  replayCounts?: ReplayCounts
  /** Id of the model to replay, if the recording contains several models. */
  model?: string
}

/**
 * Returns a `stream` that replays `recorded`. Ids in a response are replaced by those of the request that it
 * answers, if both requests have equally many. A request without a recording fails with `replay_miss`.
 */
export function replayReplies(
  file: string,
  recorded: readonly RecordedReply[],
  cwd: string,
  { observe, replayCounts = new Map(), model }: ReplayOptions = {},
): Model['stream'] {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) {
      return yield { type: 'failure', failure: { kind: 'cancelled', message: 'the request was cancelled' } }
    }
    const identity = identifyRequest(request, cwd)
    const matchingReplies = repliesTo(recorded, identity.hash, model)
    const key = `${identity.hash} ${model ?? ''}`
    const at = replayCounts.get(key) ?? 0
    replayCounts.set(key, at + 1)
    const entry = matchingReplies[Math.min(at, matchingReplies.length - 1)]
    observe?.(entry)
    if (entry) yield* withOwnIds(entry, identity.ids)
    else yield { type: 'failure', failure: createMissFailure(file, identity, request.messages, recorded) }
  }
  return stream
}

/**
 * Returns the responses to requests with this hash, in the order in which the requests started, because
 * parallel agents overlap. If `model` has given some of them, returns only those.
 */
function repliesTo(
  recorded: readonly RecordedReply[],
  hash: string,
  model: string | undefined,
): readonly RecordedReply[] {
  const equal = recorded.filter((entry) => entry.hash === hash)
  const modelReplies = equal.filter((entry) => entry.model === model)
  const replies = modelReplies.length > 0 ? modelReplies : equal
  return replies.length < 2 ? replies : replies.toSorted((a, b) => (a.began ?? 0) - (b.began ?? 0))
}

function withOwnIds({ events, ids = [] }: RecordedReply, requestIds: readonly string[]): ModelEvent[] {
  if (ids.length !== requestIds.length) return events
  if (ids.every((id, i) => id === requestIds[i])) return events
  const text = JSON.stringify(events, (_key, value: unknown) =>
    typeof value === 'string' ? translateIds(value, ids, requestIds) : value,
  )
  return JSON.parse(text) as ModelEvent[]
}

function createMissFailure(
  file: string,
  identity: RequestIdentity,
  messages: readonly ModelMessage[],
  recorded: readonly RecordedReply[],
): ModelFailure {
  let nearest: { line: number; same: number; entry: RecordedReply } | undefined
  for (const [i, entry] of recorded.entries()) {
    const same = countEqualParts(entry.parts, identity.parts)
    const closer =
      !nearest ||
      same > nearest.same ||
      // Of two recordings with equally many equal parts, the one whose length is closer to the
      // request is chosen.
      (same === nearest.same &&
        Math.abs(entry.parts.length - identity.parts.length) <
          Math.abs(nearest.entry.parts.length - identity.parts.length))
    if (closer) nearest = { line: i + 1, same, entry }
  }
  const head = `${file} has no reply for this request (${identity.hash.slice(0, 8)})`
  if (!nearest) return { kind: 'replay_miss', message: `${head}; it is empty` }
  const { hash, about: of } = nearest.entry
  const about = `${hash.slice(0, 8)}, ${of.messages} messages, ${of.last}`
  const near = `nearest is line ${nearest.line} (${about})`
  const message = oneLine(`${head}; ${near}; ${describeDifference(nearest.same, messages)}`, [], 600)
  return { kind: 'replay_miss', message }
}

/**
 * Returns how many parts are equal before the first different message. The first two parts, the settings and
 * the tools, count in any case.
 */
function countEqualParts(a: readonly string[], b: readonly string[]): number {
  let same = 0
  while (same < Math.min(a.length, b.length) && (same < 2 || a[same] === b[same])) same++
  return same
}

function describeDifference(same: number, messages: readonly ModelMessage[]): string {
  const at = same - 2
  const message = messages[at]
  if (!message)
    return at >= messages.length ? 'the messages are the same as far as they go' : 'it differs at once'
  return `the first difference is message ${at + 1} of ${messages.length} (${message.role})`
}

/**
 * Returns the responses of a recording. Skips empty lines, lines with `picked`, and an incomplete last line.
 * Throws UserError for an unreadable file or one that is not a recording.
 */
export function readReplies(file: string, cwd: string): RecordedReply[] {
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8')
  } catch (cause) {
    throw new UserError(`cannot read the recording: ${fileMessageOf(cause, file)}`, {
      hint: `Make one with --model record:${file},PROVIDER/MODEL.`,
      cause,
    })
  }
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return []
    try {
      const entry = JSON.parse(line) as Partial<RecordedReply>
      // A line with `picked` says which model a name meant; it is not a response.
      return 'picked' in entry ? [] : [checkReply(entry)]
    } catch (cause) {
      // a process that was killed while writing leaves half a line at the end of the file
      if (i === lines.length - 1) return []
      throw new UserError(`${file} line ${i + 1} is not a recorded response`, {
        hint: 'Record it again.',
        cause,
      })
    }
  })
}

function checkReply(entry: Partial<RecordedReply>): RecordedReply {
  const { hash, parts, events, ids = [], about = { messages: 0, last: '' }, kind, model, at, began } = entry
  if (typeof hash !== 'string' || !Array.isArray(parts) || !Array.isArray(events))
    throw new Error('fields missing')
  const last = events.at(-1)?.type
  if (last !== 'end' && last !== 'failure') throw new Error('the reply has no end')
  return { hash, parts, ids, events, about, kind, model, at, began }
}
