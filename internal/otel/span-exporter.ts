// Sends spans to a collector in the background: in batches, bounded, and never in anybody's way.
import type { EnvironmentVariables } from '../base/environment.ts'
import { timeLimit } from '../base/time-limit.ts'
import { formatTraces, type OtlpSpan } from './otlp-span.ts'

interface SpanExporter {
  add(span: OtlpSpan): void
  /** Sends what is left, for a short time; resolves to how many spans no collector has taken. */
  close(): Promise<number>
}

const limits = { queued: 2_048, batch: 256, delayMs: 2_000, requestMs: 5_000, closeMs: 1_500 }

/** `endpoint` is the base address of OTLP over HTTP. */
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
      // whoever does not listen gets nothing, and nobody waits for that
      dropped += batch.length
    }
  }
  /** One request at a time. */
  const drain = async () => {
    while (queue.length > 0) await send()
    sending = undefined
  }
  // with the end near what is left is sent, or counted, at once
  const start = () => {
    clearTimeout(timer)
    timer = undefined
    sending ??= drain()
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
      start()
      const late = setTimeout(() => ending.abort(), limits.closeMs)
      await sending
      clearTimeout(late)
      return dropped
    },
  }
}

/** `key=value,key=value`, percent-encoded; what cannot be read is left out. */
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
