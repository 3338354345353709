// The identity of a request: a hash that is equal for the same conversation, tools and settings on any
// day and machine.

import { fingerprint } from '../base/fingerprint.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { ModelMessage, ModelRequest } from './model.ts'
import { listIds, maskVarying } from './varying-text.ts'

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
 * Returns the identity. It includes what a provider gets of messages and tools, and effort, output limit,
 * tool choice, purpose and task. It excludes dates in system messages, the path of `cwd`, ids, times in tool
 * results and notes, deadlines, structured data, and `carry`, the opaque data of a provider.
 */
export function identifyRequest(request: ModelRequest, cwd: string): RequestIdentity {
  const { effort, maxOutput, meta, toolChoice, tools } = request
  const settings = { effort, maxOutput, purpose: meta?.purpose, task: meta?.task, toolChoice }
  const shown = tools.map(({ foreign: _, ...tool }) => tool)
  const own = cwd.length > 1 ? JSON.stringify(cwd).slice(1, -1) : undefined
  const write = (part: unknown, mapText?: (text: string) => string) => {
    const text = canonicalJson(part, mapText)
    return own === undefined ? text : text.replaceAll(own, '<cwd>')
  }
  const ids: string[] = []
  const writeMessage = (message: ModelMessage) =>
    write(seen(message), (given) => {
      const text = cwd.length > 1 ? given.replaceAll(cwd, '<cwd>') : given
      ids.push(...listIds(text))
      return maskVarying(text, { times: isWritten(message) })
    })
  const texts = [...[settings, shown].map((part) => write(part)), ...request.messages.map(writeMessage)]
  return {
    ids,
    hash: fingerprint(texts.join('\n')).slice(0, 32),
    parts: texts.map((text) => fingerprint(text).slice(0, 8)),
  }
}

/**
 * Returns true for messages that Anode writes: tool results, notes and mail. The hash leaves out times in
 * them; of all other texts it leaves out only ids.
 */
const isWritten = (message: ModelMessage) =>
  message.role === 'tool' || (message.role === 'user' && message.origin !== undefined)

function seen(message: ModelMessage): unknown {
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

/** Returns JSON with sorted keys and without undefined values. `mapText` changes each text in it. */
export function canonicalJson(value: unknown, mapText?: (text: string) => string): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (mapText && typeof inner === 'string') return mapText(inner)
    if (!isObject(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  })
}
