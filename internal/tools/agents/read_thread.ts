// The tool read_thread: shows messages of a stored thread, some from both ends and those that match a goal.
// It does not use a model.

import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { isSameProject } from '../../store/repository.ts'
import type { RecordedEvent, Store, Thread } from '../../store/store.ts'
import { parseQueryTerms as termsOf } from '../../store/thread/search-query.ts'
import { cutExcerpt } from '../../store/thread/snippet.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import { describeThreadSource, threadSourceLevel } from '../../tool-support/thread-source.ts'
import about from './read_thread.md'

/** Largest number of characters that are shown of one message. */
const maxMessageChars = 2_000

export const readThread = defineTool({
  name: 'read_thread',
  about,
  input: z.object({
    source: field(
      z._default(z.string(), 'local'),
      'local: this workspace; all: every workspace on this machine (the user is asked)',
    ),
    thread_id: field(z.string().check(z.minLength(1)), 'Id from find_thread, or the beginning of one', {
      aliases: ['threadId', 'threadID'],
    }),
    goal: field(z.optional(z.string()), 'What you want to know; selects the messages to show'),
    max_messages: field(z._default(z.int().check(z.minimum(1)), 40), 'Messages to return', {
      cap: 80,
    }),
  }),
  example: { thread_id: 'sess_01JD3K8Q', goal: 'find the auth refactor decision' },
  level: 'auto_read',
  access: ({ source }) => ({ level: threadSourceLevel(source), does: describeThreadSource(source) }),
  available: hasStore,
  clip: { chars: 200_000, lines: 20_000, keep: 'ends' },
  async run({ source, thread_id, goal = '', max_messages }, ctx) {
    threadSourceLevel(source)
    const store = await storeOf(ctx)
    const { workspace } = ctx.policy.roots
    const isMeant = (one: Thread) => source === 'all' || isSameProject(one.workspace, workspace)
    const matches = store.threads.find(thread_id).filter(isMeant)
    const exact = store.threads.get(thread_id)
    const thread = exact && isMeant(exact) ? exact : matches.length === 1 ? matches[0] : undefined
    if (!thread) {
      throw new FailureError({
        code: 'not_found',
        message: `${matches.length === 0 ? 'no thread has' : 'several threads have'} the id ${thread_id}`,
        hint:
          matches.length === 0
            ? 'Look for it with `find_thread`; `source` all has those of other workspaces.'
            : matches.map((t) => t.id).join(', '),
      })
    }
    const terms = termsOf(goal)
    const { events, more } = pickEvents(store, thread, goal, max_messages)
    const messages = events.map((event) => toThreadEntry(event, terms))
    const size = countNoun(thread.events, 'event')
    const head = `${thread.id}  ${thread.title || '(untitled)'}  ${thread.workspace}  ${size}`
    const note = more ? ['… the thread has more messages than these; name a goal to pick others'] : []
    return {
      text: [head, ...messages.map((m) => `[${m.pos}] ${m.role}:\n${m.text}`), ...note].join('\n\n'),
      data: { thread, goal, messages, more },
    }
  },
})

/**
 * Selects events with text of a thread: some messages from both ends, then the matches of the goal (also tool
 * calls and results), then more messages from the ends, up to `max`. Returns them in the order of the thread.
 * `more` is true if messages were left out.
 */
function pickEvents(
  store: Store,
  { id }: Thread,
  goal: string,
  max: number,
): { events: RecordedEvent[]; more: boolean } {
  const eventsByPos = new Map<number, RecordedEvent>()
  const take = (list: readonly RecordedEvent[], limit: number) => {
    for (const event of list) if (eventsByPos.size < limit && isText(event)) eventsByPos.set(event.pos, event)
  }
  const hits = goal === '' ? [] : store.threads.search(goal, { thread: id, limit: max })
  const ends = hits.length === 0 ? max : Math.min(max, Math.max(2, Math.floor(max / 4)))
  const first = store.threads.events(id, 0, max + 1, ['message'])
  const last = store.threads.tail(id, max, ['message']).reverse()
  take(first.slice(0, Math.max(1, Math.floor(ends / 4))), ends)
  take(last, ends)
  for (const { pos } of hits) take(store.threads.events(id, pos - 1, 1), max)
  take(last, max)
  take(first, max)
  const events = [...eventsByPos.values()].sort((a, b) => a.pos - b.pos)
  return {
    events,
    more: first.length > max || first.some((event) => isText(event) && !eventsByPos.has(event.pos)),
  }
}

function isText(event: RecordedEvent): boolean {
  return textOf(event).trim() !== ''
}

function textOf(event: RecordedEvent): string {
  if (event.type === 'message') return event.payload.text
  if (event.type === 'tool.result') return event.payload.text
  return event.type === 'tool.call' ? JSON.stringify(event.payload.args) : ''
}

function toThreadEntry(event: RecordedEvent, terms: readonly string[]) {
  const whole = textOf(event)
  const text = cutExcerpt(whole, terms, maxMessageChars)
  const role =
    event.type === 'message'
      ? event.payload.role
      : event.type === 'tool.call' || event.type === 'tool.result'
        ? `${event.type} ${event.payload.tool}`
        : event.type
  return { pos: event.pos, role, text, cut: text !== whole, ts: new Date(event.ts).toISOString() }
}
