// A stored event as Markdown, and a thread's events page by page.
import { countNoun } from '../../base/text/count-noun.ts'
import { fenceText } from '../../base/text/quoting/code-fence.ts'
import { describeRunReason } from '../../base/text/reason-words.ts'
import type { Event } from '../../event/event.ts'
import { describeCheckRun, describeProof } from '../../session/view/check-run.ts'
import type { RecordedEvent, Store } from '../../store/store.ts'

/** Yields every event of a thread in order; at most 200 are in memory at a time. */
export function* readThreadEvents(store: Store, thread: string): Generator<RecordedEvent> {
  let after = 0
  for (;;) {
    const page = store.threads.events(thread, after, 200)
    yield* page
    if (page.length < 200) return
    after = (page.at(-1) as RecordedEvent).pos
  }
}

/** Lines that `threads show` prints of a result of more than 13 lines. */
const shownLines = 12

/**
 * Returns the event. A tool result of more than 13 lines is cut to its first 12, and the number of
 * missing lines follows.
 */
export function foldResult<E extends Event>(event: E): E {
  if (event.type !== 'tool.result') return event
  const lines = event.payload.text.split('\n')
  if (lines.length <= shownLines + 1) return event
  const rest = lines.length - shownLines
  const text = [...lines.slice(0, shownLines), `(${countNoun(rest, 'more line')}; --full shows all)`].join(
    '\n',
  )
  return { ...event, payload: { ...event.payload, text } }
}

/**
 * Returns a message, tool call, tool result, permission, review, check or end of a run as Markdown; empty for
 * an event of another type.
 */
export function formatEvent(event: Event): string {
  switch (event.type) {
    case 'message':
      return `## ${event.payload.role}\n\n${event.payload.text}\n\n`
    case 'tool.call':
      return `### call ${event.payload.tool}\n\n\`\`\`json\n${toJson(event.payload.args)}\n\`\`\`\n\n`
    case 'tool.result':
      return `### ${headOf(event.payload)}\n\n${fenceText(event.payload.text.replace(/\n$/, ''))}\n\n`
    case 'permission.decided':
      return `permission ${event.payload.action} for ${event.payload.tool}: ${event.payload.why}\n\n`
    case 'approval.reviewed': {
      const { verdict, tool, reason } = event.payload
      return `reviewer ${verdict} for ${tool}: ${reason}\n\n`
    }
    case 'check.ran':
      return `${describeCheckRun(event.payload)
        .map(({ mark, text }) => `${mark} ${text}`)
        .join('\n')}\n\n`
    case 'run.ended': {
      const { end, reason, proof } = event.payload
      const verdict = proof ? `${describeProof(proof)}\n\n` : ''
      return `run ended: ${end}${reason ? ` (${describeRunReason(reason)})` : ''}\n\n${verdict}`
    }
    default:
      return ''
  }
}

const toJson = (value: unknown) => JSON.stringify(value, null, 2)

const headOf = ({ ok, code }: { ok: boolean; code?: string | undefined }) =>
  ok ? 'result' : `failed (${code ?? 'unknown'})`
