// Folds what happens in a session into the view that a screen draws from.
import type { Event } from '../../event/event.ts'
import type { SessionEvent } from '../client.ts'
import { addBlock } from './block-list.ts'
import { foldCallEvent } from './fold-call.ts'
import { foldMessage } from './fold-message.ts'
import { foldRunEvent } from './fold-run.ts'
import type { SessionView } from './session-view.ts'
import { applySnapshot } from './view-snapshot.ts'

/** The view after one more event; the same object where the event changes nothing that is seen. */
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
      return view
    case 'limit':
      return addBlock(view, event, {
        kind: 'notice',
        id: event.id,
        text: event.payload.message,
        tone: 'warning',
      })
  }
}
