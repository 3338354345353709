// A collector of traces on loopback: takes OTLP over HTTP in its JSON form, or behaves badly.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number }
  /** By name. */
  values: Record<string, string | number>
}

interface Collector {
  endpoint: string
  requests: { headers: Record<string, unknown>; spans: number }[]
  spans: CollectedSpan[]
}

interface SentSpan extends Omit<CollectedSpan, 'values'> {
  attributes: { key: string; value: { stringValue?: string; intValue?: string; doubleValue?: number } }[]
}

/** `silent`: takes everything and never replies. */
export async function startCollector(behaviour: 'good' | 'silent' | 'refusing' = 'good'): Promise<Collector> {
  const collector: Collector = { endpoint: '', requests: [], spans: [] }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (behaviour === 'silent') return
      if (behaviour === 'refusing' || request.url !== '/v1/traces') return response.writeHead(503).end()
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
      }
      const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans))
      collector.requests.push({ headers: request.headers, spans: spans.length })
      collector.spans.push(...spans.map(readSpan))
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return collector
}

function readSpan({ attributes, ...span }: SentSpan): CollectedSpan {
  const values = attributes.map(({ key, value }) => [
    key,
    value.stringValue ?? (value.intValue === undefined ? (value.doubleValue ?? 0) : Number(value.intValue)),
  ])
  return { ...span, values: Object.fromEntries(values) }
}
