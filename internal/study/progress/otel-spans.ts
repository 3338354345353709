// Conversion of a study's log to OpenTelemetry spans in OTLP's JSON format: the study, its tasks, their
// requests and tool calls.
import { fingerprint } from '../../base/fingerprint.ts'
import {
  toAttributes as attributes,
  formatTraces,
  toNanoseconds as nano,
  type OtlpSpan,
} from '../../otel/otlp-span.ts'
import type { TraceContext } from '../../otel/trace-context.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type StudyEntries, type StudyHead, toStudyEntry } from '../log/entries.ts'

type TraceSpan = OtlpSpan

/**
 * Returns the spans as an object in OTLP's format. `lines` have to begin with the study's first entry. A span
 * without an end ends with the last line. Throws if `lines` is empty.
 */
export function exportSpans(lines: readonly JournalLine[], version: string): object {
  const [first] = lines
  if (!first) throw new Error('a study without entries')
  const head = first.data as unknown as StudyHead
  return formatTraces(listStudySpans(lines, head), 'anode.study', version)
}

/** Returns the spans of a study. `outer` is the trace to which the study belongs. Default: a new trace. */
export function listStudySpans(
  lines: readonly JournalLine[],
  head: StudyHead,
  outer?: TraceContext,
): OtlpSpan[] {
  const end = lines.at(-1)?.ts ?? head.created
  const make = createSpanMaker(head, outer)
  const root = make('study', 'study', head.created, end)
  root.attributes = attributes({
    'anode.study.id': head.id,
    'anode.study.question': head.question,
    'gen_ai.request.model': head.model.name,
  })
  const spans = [root]
  const open = new Map<string, TraceSpan>()
  for (const line of lines) {
    const entry = toStudyEntry(line)
    const { ts } = line
    switch (entry.kind) {
      case 'task.started': {
        const { task, epoch, owner, attempt } = entry.data
        const span = make(`task ${task} ${epoch}`, `task ${task}`, ts, end, root)
        span.attributes = attributes({ 'anode.task': task, 'anode.worker': owner, 'anode.attempt': attempt })
        open.set(task, span)
        spans.push(span)
        break
      }
      case 'step':
        spans.push(createRequestSpan(entry.data, head, make, ts, open.get(entry.data.task) ?? root))
        break
      case 'result': {
        const { task, n, call, tool, ok, ms } = entry.data
        const parent = open.get(task) ?? root
        const span = make(`result ${task} ${n} ${call}`, `execute_tool ${tool}`, ts - ms, ts, parent)
        span.attributes = attributes({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool })
        if (!ok) span.status = { code: 2 }
        spans.push(span)
        break
      }
      case 'task.ended': {
        const { end, reason } = entry.data.result
        closeSpan(open, entry.data.task, ts, end === 'failed' ? (reason ?? end) : undefined)
        break
      }
      case 'task.lost':
        closeSpan(open, entry.data.task, ts, entry.data.why)
        break
      default:
        break
    }
  }
  return spans
}

/** Creates a span of one trace. The same `key` always gives the same id. */
type CreateSpan = (key: string, name: string, from: number, to: number, parent?: TraceSpan) => TraceSpan

function createSpanMaker({ id }: StudyHead, outer: TraceContext | undefined): CreateSpan {
  const { traceId, parentSpanId } = outer ?? { traceId: fingerprint(id).slice(0, 32) }
  return (key, name, from, to, parent) => ({
    traceId,
    spanId: fingerprint(`${id} ${key}`).slice(0, 16),
    parentSpanId: parent?.spanId ?? parentSpanId,
    name,
    kind: 1,
    startTimeUnixNano: nano(from),
    endTimeUnixNano: nano(to),
    attributes: [],
    status: { code: 0 },
  })
}

function createRequestSpan(
  step: StudyEntries['step'],
  head: StudyHead,
  make: CreateSpan,
  ts: number,
  parent: TraceSpan,
): TraceSpan {
  const { task, n, usage, ms } = step
  const span = make(`step ${task} ${n}`, 'chat', ts - ms, ts, parent)
  span.kind = 3
  span.attributes = attributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': head.model.name,
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
  })
  return span
}

function closeSpan(open: Map<string, TraceSpan>, task: string, ts: number, failed: string | undefined): void {
  const span = open.get(task)
  if (!span) return
  span.endTimeUnixNano = nano(ts)
  if (failed !== undefined) span.status = { code: 2, message: failed }
  open.delete(task)
}
