// The identity of a request: a hash that is equal for the same conversation, tools and settings on any
// day and machine.
import { fingerprint } from '../base/fingerprint.ts'
import { once } from '../base/once.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { ModelMessage, ModelRequest } from './model.ts'

export interface RequestIdentity {
  hash: string
  /** Short hashes of the settings, the tools and then each message, which show where two requests differ. */
  parts: string[]
  /**
   * Ids, ports and temporary paths in the messages, in order. They differ between equal requests of two runs,
   * so the hash excludes them. A replayed response gets those of the new request.
   */
  ids: string[]
}

/**
 * Returns the identity of a request. It includes what a provider gets of messages and tools, and effort,
 * output limit, tool choice, purpose and task. It excludes dates in system messages, the path of `cwd`,
 * ids, times in tool results, notes and mail, deadlines, structured data, and `carry`, the opaque data
 * of a provider.
 */
export function identifyRequest(request: ModelRequest, cwd: string): RequestIdentity {
  const { effort, maxOutput, meta, toolChoice, tools } = request
  const settings = { effort, maxOutput, purpose: meta?.purpose, task: meta?.task, toolChoice }
  const toolSpecs = tools.map(({ foreign: _, ...tool }) => tool)
  const jsonCwd = cwd.length > 1 ? JSON.stringify(cwd).slice(1, -1) : undefined
  const write = (part: unknown, mapText?: (text: string) => string) => {
    const text = canonicalJson(part, mapText)
    return jsonCwd === undefined ? text : text.replaceAll(jsonCwd, '<cwd>')
  }
  const ids: string[] = []
  const writeMessage = (message: ModelMessage) =>
    write(pickHashedFields(message), (rawText) => {
      const text = cwd.length > 1 ? rawText.replaceAll(cwd, '<cwd>') : rawText
      ids.push(...listIds(text))
      return maskVarying(text, { times: isWritten(message) })
    })
  const texts = [...[settings, toolSpecs].map((part) => write(part)), ...request.messages.map(writeMessage)]
  return {
    ids,
    hash: fingerprint(texts.join('\n')).slice(0, 32),
    parts: texts.map((text) => fingerprint(text).slice(0, 8)),
  }
}

/**
 * Returns true for messages that Anode writes: tool results, notes and mail. The hash leaves out times
 * in them, but not in messages of the user and of the model. See `identifyRequest` for what it leaves
 * out of every message.
 */
const isWritten = (message: ModelMessage) =>
  message.role === 'tool' || (message.role === 'user' && message.origin !== undefined)

function pickHashedFields(message: ModelMessage): unknown {
  switch (message.role) {
    case 'system':
      return { ...message, content: message.content.replace(/\b\d{4}-\d{2}-\d{2}\b/g, '<date>') }
    case 'user':
      return { role: message.role, content: message.content }
    case 'assistant':
      return { role: message.role, content: message.content, calls: message.calls ?? [] }
    case 'tool':
      return { role: message.role, callId: message.callId, content: message.content }
  }
}

/**
 * Returns JSON with sorted keys and without undefined properties. `mapText` changes each string in
 * it except keys.
 */
export function canonicalJson(value: unknown, mapText?: (text: string) => string): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (mapText && typeof inner === 'string') return mapText(inner)
    if (!isObject(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  })
}

const ids = [
  /\b(?:[a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
  /(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)\d{2,5}\b/,
  /(?<![\w/])\/tmp\/[^\s"'\\/:;,)\]}]+/,
  // Matches the random part of a directory name that `mktemp` makes.
  /(?<=\/tmp\.)[A-Za-z0-9]{6,}\b/,
]

const times = [
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z\b|[+-]\d{2}:?\d{2}\b)?/,
  /\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d{2}:\d{2}(?::\d{2})?\b/,
  /\b1[6-9]\d{11}(?:\.\d+)?\b/,
  /(?<=\b(?:\w*_?ms|pid|duration|elapsed|created|updated|started|ended)\\?"?\s?[:=]\s?)\d+(?:\.\d+)?\b/,
  /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?)\b/,
]

const joinPatterns = (patterns: readonly RegExp[]) => patterns.map(({ source }) => `(?:${source})`).join('|')
const idPattern = once(() => new RegExp(joinPatterns(ids), 'g'))
const anyPattern = once(() => new RegExp(joinPatterns([...ids, ...times]), 'g'))

/**
 * Matches the line with the number of skipped study reports in a search result. The hash leaves the line out,
 * because in a replay the number differs from that of the recording.
 */
const ownReport = /\n?\[\d+ files? skipped: a report of a study\]/g

/**
 * Returns the text with a mark in place of each id. `times`: times, durations and other changing text
 * are replaced too.
 */
export function maskVarying(text: string, { times: hasTimes }: { times: boolean }): string {
  if (!hasTimes) return text.replace(idPattern(), '<varies>')
  return text.replace(ownReport, '').replace(anyPattern(), '<varies>')
}

/** Returns the ids of a text in order, each as often as it occurs. */
function listIds(text: string): string[] {
  return text.match(idPattern()) ?? []
}

/** Returns the text with the ids in `before` replaced by those in `after`. Both lists have the same order. */
export function translateIds(text: string, before: readonly string[], after: readonly string[]): string {
  const pairs = new Map(before.map((id, i) => [id, after[i] ?? id]))
  return text.replace(idPattern(), (id) => pairs.get(id) ?? id)
}
