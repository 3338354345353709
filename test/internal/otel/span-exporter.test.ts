// The exporter under more spans than it may store, and headers of all kinds.
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSpanExporter, readExporterHeaders } from '../../../internal/otel/span-exporter.ts'
import { startCollector } from '../../support/collector.ts'

const span = (at: number) => ({
  ...{ traceId: 'a'.repeat(32), spanId: String(at).padStart(16, '0'), name: `span ${at}`, kind: 1 as const },
  ...{ startTimeUnixNano: '0', endTimeUnixNano: '1', attributes: [], status: { code: 0 as const } },
})

it('sends in batches, and counts the dropped spans', async () => {
  const collector = await startCollector()
  const exporter = createSpanExporter(collector.endpoint, { version: '1', headers: {} })
  for (let at = 0; at < 3_000; at++) exporter.add(span(at))
  const dropped = await exporter.close()
  expect(dropped).toBeGreaterThan(0)
  expect(collector.spans).toHaveLength(3_000 - dropped)
  expect(collector.requests.every(({ spans }) => spans <= 256)).toBe(true)
  expect(collector.spans[0]?.name).toBe('span 0')
})

it('sends spans that are added while a batch is being sent, and after a pause', async () => {
  const collector = await startCollector()
  const exporter = createSpanExporter(collector.endpoint, { version: '1', headers: {} })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let at = 0; at < 257; at++) exporter.add(span(at))
  await expect.poll(() => collector.spans.length, { timeout: 10_000 }).toBe(257)
  // the timer of the last span ends when nothing waits any more
  vi.runAllTimers()
  exporter.add(span(257))
  expect(await exporter.close()).toBe(0)
  expect(collector.spans).toHaveLength(258)
})

it('ends within its time limit if the collector does not respond', async () => {
  const silent = await startCollector('silent')
  const exporter = createSpanExporter(silent.endpoint, { version: '1', headers: {} })
  for (let at = 0; at < 600; at++) exporter.add(span(at))
  const began = Date.now()
  expect(await exporter.close()).toBe(600)
  expect(Date.now() - began).toBeLessThan(10_000)
})

it('reads headers in the notation of the environment variable', () => {
  const read = (text: string) => readExporterHeaders({ OTEL_EXPORTER_OTLP_HEADERS: text })
  expect(read('a=b, Authorization=Bearer%20x==,c')).toEqual({ a: 'b', authorization: 'Bearer x==' })
  expect(read('a=%0d%0ab,b=%zz,=c,d e=f')).toEqual({})
  expect(readExporterHeaders({})).toEqual({})
})
