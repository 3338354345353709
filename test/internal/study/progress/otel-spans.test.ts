import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { exportSpans } from '../../../../internal/study/progress/otel-spans.ts'
import { finished, lines } from '../../../support/study.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number; message?: string }
}

const step = (n: number) =>
  makeStudyEntry('step', {
    task: 't1',
    n,
    request: `h${n}`,
    mail: [],
    notes: [],
    reply: { text: '', calls: [{ id: 'c', name: 'grep', args: {} }], end: 'calls' },
    usage: { input: 9, output: 1, usd: 0 },
    ms: 500,
  })
const result = makeStudyEntry('result', {
  task: 't1',
  n: 1,
  call: 'c',
  tool: 'grep',
  ok: false,
  text: '',
  evidence: [],
  ms: 20,
})
const lost = makeStudyEntry('task.lost', { task: 't1', epoch: 1, owner: 'w1', why: 'killed' })
const again = makeStudyEntry('task.started', {
  task: 't1',
  epoch: 2,
  owner: 'w2',
  attempt: 2,
  pid: 1,
  host: 'h',
})

function spans(): Span[] {
  const log = lines([...finished().slice(0, 4), step(1), result, lost, again, step(2)])
  const { resourceSpans } = exportSpans(log, '1.0') as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
  }
  return resourceSpans[0]?.scopeSpans[0]?.spans ?? []
}

it('nests requests and calls in the attempt they belong to', () => {
  const all = spans()
  const tree = all.map(({ name, parentSpanId }) => [
    name,
    all.find(({ spanId }) => spanId === parentSpanId)?.name,
  ])
  expect(tree).toEqual([
    ['study', undefined],
    ['task t1', 'study'],
    ['chat', 'task t1'],
    ['execute_tool grep', 'task t1'],
    ['task t1', 'study'],
    ['chat', 'task t1'],
  ])
  expect(all[5]?.parentSpanId).toBe(all[4]?.spanId)
  expect(all[1]?.status).toEqual({ code: 2, message: 'killed' })
  expect(all[3]?.status).toEqual({ code: 2 })
})

it('has the forms that OTLP asks for', () => {
  const all = spans()
  for (const span of all) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(span.startTimeUnixNano).toMatch(/^\d{19}$/)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  }
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length)
})
