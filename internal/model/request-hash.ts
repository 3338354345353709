// The identity of a request: equal on any day, on any machine, for the same conversation with the same tools.

import { fingerprint } from '../base/fingerprint.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { ModelMessage, ModelRequest } from './model.ts'

export interface RequestIdentity {
  hash: string
  /** Short hashes of the settings, the tools and then each message, to see where two requests part. */
  parts: string[]
}

/**
 * What counts: messages as a provider would see them, tools, effort, output limit, purpose and task. Dates in
 * system messages and the path of `cwd` do not count; neither do deadlines, structured data and what a
 * provider carries.
 */
export function identifyRequest(request: ModelRequest, cwd: string): RequestIdentity {
  const { effort, maxOutput, meta, toolChoice, tools } = request
  const settings = { effort, maxOutput, purpose: meta?.purpose, task: meta?.task, toolChoice }
  const shown = tools.map(({ foreign: _, ...tool }) => tool)
  const texts = [settings, shown, ...request.messages.map(seen)].map((part) => {
    const text = canonicalJson(part)
    return cwd.length > 1 ? text.replaceAll(JSON.stringify(cwd).slice(1, -1), '<cwd>') : text
  })
  return {
    hash: fingerprint(texts.join('\n')).slice(0, 32),
    parts: texts.map((text) => fingerprint(text).slice(0, 8)),
  }
}

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

/** JSON with the keys of every object in order and nothing undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
