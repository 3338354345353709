// The log of a study as OpenTelemetry spans in OTLP's JSON form: the study, its tasks, their requests and tool calls.
import { fingerprint } from '../../base/fingerprint.ts'
import type { Line } from '../../store/journal/journal.ts'
import type { Entry, Head } from '../study.ts'

type Value = string | number | boolean
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1: internal, 3: a request to somebody else. */
  kind: 1 | 3
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
  /** 0: unset, 2: error. */
  status: { code: 0 | 2; message?: string }
}

/** `lines` begin with the study's head; a span without an end so far ends with the last line. */
export function otel(lines: readonly Line[], version: string): object {
  const [first] = lines
  if (!first) throw new Error('a study without entries')
  const head = first.data as unknown as Head
  const spans = spansOf(lines, head)
  const resource = { attributes: attributes({ 'service.name': 'anode', 'service.version': version }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'anode.study', version }, spans }] }] }
}

function spansOf(lines: readonly Line[], head: Head): Span[] {
  const traceId = fingerprint(head.id).slice(0, 32)
  const idOf = (key: string) => fingerprint(`${head.id} ${key}`).slice(0, 16)
  const end = lines.at(-1)?.ts ?? head.created
  const span = (key: string, parent: string | undefined, name: string, from: number, to: number): Span => ({
    traceId,
    spanId: idOf(key),
    ...(parent !== undefined && { parentSpanId: idOf(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: nano(from),
    endTimeUnixNano: nano(to),
    attributes: [],
    status: { code: 0 },
  })
  const root = span('study', undefined, 'study', head.created, end)
  root.attributes = attributes({
    'anode.study.id': head.id,
    'anode.study.question': head.question,
    'gen_ai.request.model': head.model.name,
  })
  const spans = [root]
  const open = new Map<string, Span>()
  for (const { ts, ...line } of lines) {
    const entry = { ts, ...line } as unknown as Entry
    const task = taskOf(entry)
    const parent = task === undefined ? undefined : (open.get(task) ?? root)
    if (entry.kind === 'task.started') {
      const { task, epoch, owner, attempt } = entry.data
      const started = span(`task ${task} ${epoch}`, 'study', `task ${task}`, ts, end)
      started.attributes = attributes({ 'anode.task': task, 'anode.worker': owner, 'anode.attempt': attempt })
      open.set(task, started)
      spans.push(started)
    } else if (entry.kind === 'step' && parent) {
      const { task, n, usage, ms } = entry.data
      const step = span(`step ${task} ${n}`, undefined, 'chat', ts - ms, ts)
      step.parentSpanId = parent.spanId
      step.kind = 3
      step.attributes = attributes({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': head.model.name,
        'gen_ai.usage.input_tokens': usage.input,
        'gen_ai.usage.output_tokens': usage.output,
      })
      spans.push(step)
    } else if (entry.kind === 'result' && parent) {
      const { task, n, call, tool, ok, ms } = entry.data
      const result = span(`result ${task} ${n} ${call}`, undefined, `execute_tool ${tool}`, ts - ms, ts)
      result.parentSpanId = parent.spanId
      result.attributes = attributes({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool })
      if (!ok) result.status = { code: 2 }
      spans.push(result)
    } else if ((entry.kind === 'task.ended' || entry.kind === 'task.lost') && task !== undefined) {
      const ended = open.get(task)
      open.delete(task)
      if (!ended) continue
      ended.endTimeUnixNano = nano(ts)
      if (entry.kind === 'task.lost') ended.status = { code: 2, message: entry.data.why }
      else if (entry.data.result.end === 'failed') {
        ended.status = {
          code: 2,
          ...(entry.data.result.reason !== undefined && { message: entry.data.result.reason }),
        }
      }
    }
  }
  return spans
}

function taskOf(entry: Entry): string | undefined {
  const { task } = entry.data as { task?: unknown }
  return typeof task === 'string' ? task : undefined
}

/** OTLP's JSON form writes 64-bit integers as strings. */
const nano = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`

function attributes(values: Record<string, Value>): Span['attributes'] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { stringValue: value },
  }))
}
