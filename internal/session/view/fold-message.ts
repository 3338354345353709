// Folds messages into a view: what was said, what is being written, and what waits to be said.

import type { Event } from '../../event/event.ts'
import type { OpenReply } from '../snapshot.ts'
import { addBlock } from './block-list.ts'
import type { SessionView } from './session-view.ts'

type Of<T extends Event['type']> = Extract<Event, { type: T }> & { pos?: number }
type MessageEvent = Of<'message' | 'message.delta' | 'message.queued' | 'message.unqueued'>

export function foldMessage(view: SessionView, event: MessageEvent): SessionView {
  switch (event.type) {
    case 'message':
      return foldWhole(view, event)
    case 'message.delta':
      return foldDelta(view, event)
    case 'message.queued': {
      const { id, kind, text } = event.payload
      return { ...view, queue: [...view.queue, { id, kind, text }] }
    }
    case 'message.unqueued':
      return { ...view, queue: view.queue.filter(({ id }) => id !== event.payload.id) }
  }
}

function foldWhole(view: SessionView, event: Of<'message'>): SessionView {
  const { role, text, calls = [], origin, images = [], interrupted = false } = event.payload
  switch (role) {
    case 'system':
      return view
    case 'user': {
      const block = { kind: 'user', id: event.id, text, images: images.length, origin }
      return addBlock(view, event, block as Extract<SessionView['blocks'][number], { kind: 'user' }>)
    }
    case 'assistant': {
      const run = view.run && calls.length > 0 ? { ...view.run, step: view.run.step + 1 } : view.run
      const announced = calls.map(({ id, args }) => ({ id, args }))
      const thought = settleReasoning(view, event, calls.length > 0)
      const next = { ...thought, run, announced, openReply: undefined }
      if (text === '') return next
      return addBlock(next, event, { kind: 'answer', id: event.id, text, interrupted })
    }
    case 'summary': {
      const { replaced = 0, kept = 0, tokens } = event.payload
      const counts = { replaced, kept, tokens }
      return addBlock(view, event, { kind: 'summary', id: event.id, text, ...counts })
    }
  }
}

function foldDelta(view: SessionView, event: Of<'message.delta'>): SessionView {
  if (event.status === 'discarded') return discardReply(view, event)
  const { text = '', reasoning = '' } = event.payload
  if (text === '' && reasoning === '') return view
  const open = isBegun(view.openReply) ? view.openReply : { text: '', reasoning: '', since: event.ts }
  const thought = text === '' ? view : settleReasoning({ ...view, openReply: open }, event, false)
  const before = thought.openReply ?? open
  const openReply = { ...before, text: before.text + text, reasoning: before.reasoning + reasoning }
  return { ...thought, openReply }
}

const isBegun = (open: OpenReply | undefined): open is OpenReply =>
  open !== undefined && (open.text !== '' || open.reasoning !== '')

/** What was seen of it does not count: a line says so for good, and one that has shown nothing for now. */
function discardReply(view: SessionView, event: Of<'message.delta'>): SessionView {
  const { retry: attempt = 2, tries, wait_ms: waitMs, why } = event.payload
  const begun = { text: '', reasoning: '', since: event.ts }
  if (!isBegun(view.openReply)) {
    const retry = { attempt, tries, waitMs, why }
    return { ...view, openReply: { ...begun, retry } }
  }
  const text = describeRetry({ attempt, tries, why })
  const block = { kind: 'notice', id: event.id, text, tone: 'plain' } as const
  return { ...addBlock(settleReasoning(view, event, false), event, block), openReply: begun }
}

/** `broke off, asked again, 2 of 5: the connection broke`; `leftMs` until then, where it still waits. */
export function describeRetry({ attempt, tries, why }: NonNullable<OpenReply['retry']>, leftMs = 0): string {
  const asked = leftMs >= 1000 ? `asks again in ${Math.ceil(leftMs / 1000)} s` : 'asked again'
  const which = tries === undefined ? '' : `, ${attempt} of ${tries}`
  return `broke off, ${asked}${which}${why === undefined ? '' : `: ${why}`}`
}

/** The view with the reply that is being written as if it were whole. */
export function closeReply(view: SessionView, now: number): SessionView {
  const event = { id: 'open', ts: now }
  const { text = '' } = view.openReply ?? {}
  const thought = settleReasoning(view, event, false)
  if (text === '') return thought
  return addBlock(thought, {}, { kind: 'answer', id: event.id, text, interrupted: false })
}

/** What was thought so far becomes a block of its own: words, calls, or an end follow it. */
export function settleReasoning(
  view: SessionView,
  event: { id: string; ts: number },
  isBeforeCalls: boolean,
): SessionView {
  const open = view.openReply
  if (!open || open.reasoning === '') return view
  const isQuiet = isBeforeCalls || open.text !== ''
  const { reasoning: text, since } = open
  const block = { kind: 'reasoning', id: event.id, text, ms: event.ts - since, isQuiet } as const
  return { ...addBlock(view, {}, block), openReply: { ...open, reasoning: '' } }
}
