// Updates of the view that a screen renders, for each event of a session.
import type { Event } from '../../event/event.ts'
import type { SessionEvent } from '../client.ts'
import type { OpenReply } from '../snapshot.ts'
import { describeReview } from './approval-review.ts'
import { describeCheckRun } from './check-run.ts'
import { foldCallEvent } from './fold-call.ts'
import { foldRunEvent, settleReasoning } from './fold-run.ts'
import { addBlock, applySnapshot, type EventOf, type SessionView } from './session-view.ts'

/**
 * Returns the view after one more event. It is the same object only if the event has no position and
 * changes nothing visible.
 */
export function foldSessionEvent(view: SessionView, event: SessionEvent): SessionView {
  if (event.type === 'session.snapshot') return applySnapshot(view, event.payload)
  const next = foldEvent(view, event)
  return event.pos === undefined ? next : { ...next, pos: event.pos }
}

function foldEvent(view: SessionView, event: Event & { pos?: number }): SessionView {
  switch (event.type) {
    case 'message':
    case 'message.delta':
    case 'message.queued':
    case 'message.unqueued':
      return foldMessage(view, event)
    case 'tool.call':
    case 'tool.result':
    case 'tool.progress':
    case 'tool.output':
    case 'permission.asked':
    case 'permission.preview':
    case 'permission.decided':
    case 'question.asked':
    case 'question.answered':
      return foldCallEvent(view, event)
    case 'system.init':
    case 'run.ended':
    case 'usage':
    case 'child.started':
    case 'child.ended':
    case 'session.changed':
      return foldRunEvent(view, event)
    case 'model.notice': {
      const { text, model } = event.payload
      const named = model === undefined ? view : { ...view, model: { ...view.model, id: model } }
      return addBlock(named, event, { kind: 'notice', id: event.id, text, tone: 'warning' })
    }
    case 'job.ended': {
      const { job, command, exit, signal, stopped } = event.payload
      const how = stopped
        ? 'was stopped'
        : `ended, ${exit === null ? (signal ?? 'no exit code') : `exit ${exit}`}`
      const text = `${command} in the background ${how}`
      const tone = stopped || exit === 0 ? 'plain' : 'warning'
      const jobs = view.jobs.filter((one) => one.job !== job)
      return addBlock({ ...view, jobs }, event, { kind: 'notice', id: event.id, text, tone })
    }
    case 'file.written':
    case 'plan.changed':
    case 'goal.changed':
      return view
    case 'check.running':
    case 'check.ran':
      return foldCheck(view, event)
    case 'approval.reviewed':
      return foldReview(view, event)
    case 'limit':
      return addBlock(view, event, {
        kind: 'notice',
        id: event.id,
        text: event.payload.message,
        tone: 'warning',
      })
  }
}

function foldCheck(view: SessionView, event: EventOf<'check.running' | 'check.ran'>): SessionView {
  if (event.type === 'check.running') {
    const { check } = event.payload
    return { ...view, checking: check === null ? undefined : { ...check, since: event.ts } }
  }
  return describeCheckRun(event.payload).reduce((viewSoFar, { mark, text }, i) => {
    const tone = mark === '✔' ? 'plain' : 'warning'
    return addBlock(viewSoFar, event, { kind: 'notice', id: `${event.id}${i || ''}`, text, tone, mark })
  }, view)
}

function foldReview(view: SessionView, event: EventOf<'approval.reviewed'>): SessionView {
  const text = describeReview(event.payload)
  const tone = event.payload.verdict === 'allow' ? 'plain' : 'warning'
  return text === undefined ? view : addBlock(view, event, { kind: 'notice', id: event.id, text, tone })
}

type MessageEvent = EventOf<'message' | 'message.delta' | 'message.queued' | 'message.unqueued'>

/** Updates the view for events about sent messages, the unfinished response, and the queue. */
function foldMessage(view: SessionView, event: MessageEvent): SessionView {
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

function foldWhole(view: SessionView, event: EventOf<'message'>): SessionView {
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
      const announced = calls.map(({ id, name, args }) => ({ id, name, args }))
      const thought = settleReasoning(view, event, calls.length > 0)
      const next = { ...thought, run, announced, openReply: undefined }
      if (text === '') return next
      return addBlock(next, event, { kind: 'answer', id: event.id, text, interrupted })
    }
    case 'summary': {
      const { replaced = 0, kept: keptCount = 0, tokens } = event.payload
      const counts = { replaced, kept: keptCount, tokens }
      return addBlock(view, event, { kind: 'summary', id: event.id, text, ...counts })
    }
  }
}

function foldDelta(view: SessionView, event: EventOf<'message.delta'>): SessionView {
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

/**
 * Removes the unfinished response, because it is requested again. If text of it was shown, a notice is added
 * to the conversation; otherwise a temporary notice is shown.
 */
function discardReply(view: SessionView, event: EventOf<'message.delta'>): SessionView {
  const { retry: attempt = 2, tries, wait_ms: waitMs, why } = event.payload
  const emptyReply = { text: '', reasoning: '', since: event.ts }
  if (!isBegun(view.openReply)) {
    const retry = { attempt, tries, waitMs, why }
    return { ...view, openReply: { ...emptyReply, retry } }
  }
  const text = describeRetry({ attempt, tries, why })
  const block = { kind: 'notice', id: event.id, text, tone: 'plain' } as const
  return { ...addBlock(settleReasoning(view, event, false), event, block), openReply: emptyReply }
}

/**
 * Returns the notice about a repeated request, with the cause, and with its number if the largest number of
 * attempts is known. `leftMs`: milliseconds until it is sent.
 */
export function describeRetry({ attempt, tries, why }: NonNullable<OpenReply['retry']>, leftMs = 0): string {
  const retryText = leftMs >= 1000 ? `retries in ${Math.ceil(leftMs / 1000)} s` : 'retried'
  const which = tries === undefined ? '' : `, ${attempt} of ${tries}`
  return `interrupted, ${retryText}${which}${why === undefined ? '' : `: ${why}`}`
}

/** Returns the view with the unfinished response as if it were complete. */
export function closeReply(view: SessionView, now: number): SessionView {
  const event = { id: 'open', ts: now }
  const { text = '' } = view.openReply ?? {}
  const thought = settleReasoning(view, event, false)
  if (text === '') return thought
  return addBlock(thought, {}, { kind: 'answer', id: event.id, text, interrupted: false })
}
