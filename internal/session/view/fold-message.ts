// Folds messages into a view: what was said, what is being written, and what waits to be said.
import type { Event } from '../../event/event.ts'
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
      const block = { kind: 'user', id: event.id, text, images: images.length, ...(origin && { origin }) }
      return addBlock(view, event, block as Extract<SessionView['blocks'][number], { kind: 'user' }>)
    }
    case 'assistant': {
      const run = view.run && calls.length > 0 ? { ...view.run, step: view.run.step + 1 } : view.run
      const announced = calls.map(({ id, args }) => ({ id, args }))
      const next = { ...view, run, announced, openReply: undefined }
      if (text === '') return next
      return addBlock(next, event, { kind: 'answer', id: event.id, text, interrupted })
    }
    case 'summary': {
      const { replaced = 0, kept = 0 } = event.payload
      return addBlock(view, event, { kind: 'summary', id: event.id, text, replaced, kept })
    }
  }
}

function foldDelta(view: SessionView, event: Of<'message.delta'>): SessionView {
  const { text = '', reasoning = '', retry, tries, wait_ms: waitMs, why } = event.payload
  if (event.status === 'discarded') {
    const attempt = retry ?? 2
    const next = { attempt, ...(tries !== undefined && { tries }) }
    const wait = { ...(waitMs !== undefined && { waitMs }), ...(why !== undefined && { why }) }
    return { ...view, openReply: { text: '', reasoning: '', since: event.ts, retry: { ...next, ...wait } } }
  }
  const open = view.openReply
  return {
    ...view,
    openReply: {
      text: (open?.text ?? '') + text,
      reasoning: (open?.reasoning ?? '') + reasoning,
      since: open?.since ?? event.ts,
      ...(open?.retry && text === '' && reasoning === '' && { retry: open.retry }),
    },
  }
}
