// Background exporter of spans to a collector, in batches of limited size, without delaying the program.
import type { EnvironmentVariables } from '../base/environment.ts'
import { timeLimit } from '../base/time-limit.ts'
import { formatTraces, type OtlpSpan } from './otlp-span.ts'

interface SpanExporter {
  add(span: OtlpSpan): void
  /**
   * Sends the remaining spans within 1.5 seconds. Resolves to the number of all spans that the collector
   * has not accepted.
   */
  close(): Promise<number>
}

const limits = { queued: 2_048, batch: 256, delayMs: 2_000, requestMs: 5_000, closeMs: 1_500 }

/**
 * Creates an exporter; `endpoint` is the base URL of OTLP over HTTP. Lost without a retry are a batch that
 * the collector does not accept, and spans that come while 2,048 others wait.
 */
export function createSpanExporter(
  endpoint: string,
  { version, headers }: { version: string; headers: Readonly<Record<string, string>> },
): SpanExporter {
  const address = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const queue: OtlpSpan[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  const ending = new AbortController()
  const send = async () => {
    const batch = queue.splice(0, limits.batch)
    try {
      const reply = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(formatTraces(batch, 'anode', version)),
        signal: AbortSignal.any([timeLimit(limits.requestMs), ending.signal]),
        redirect: 'error',
      })
      await reply.arrayBuffer()
      if (!reply.ok) dropped += batch.length
    } catch {
      // an unreachable collector loses the batch, without a retry
      dropped += batch.length
    }
  }
  /** Sends the waiting batches, one request at a time. */
  const drain = async () => {
    while (queue.length > 0) await send()
  }
  // Starts to send the waiting spans, unless they are being sent already.
  const start = () => {
    clearTimeout(timer)
    timer = undefined
    sending ??= drain().finally(() => {
      sending = undefined
    })
  }
  return {
    add(span) {
      if (queue.length >= limits.queued) {
        dropped++
        return
      }
      queue.push(span)
      if (queue.length >= limits.batch) start()
      else timer ??= setTimeout(start, limits.delayMs).unref()
    },
    async close() {
      const late = setTimeout(() => ending.abort(), limits.closeMs)
      while (queue.length > 0 || sending) {
        start()
        await sending
      }
      clearTimeout(late)
      return dropped
    },
  }
}

/**
 * Parses the headers in OTEL_EXPORTER_OTLP_HEADERS: `key=value,key=value`, percent-encoded. Names become
 * lower case; invalid pairs are skipped.
 */
export function readExporterHeaders(env: EnvironmentVariables): Record<string, string> {
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).trim().toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return []
    try {
      const value = decodeURIComponent(pair.slice(at + 1).trim())
      return /[\r\n\0]/.test(value) ? [] : [[name, value] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(pairs)
}
