// Messages and approvals as JSON lines: `{"type":"user","text"}` and `{"type":"approval","call","allow","why"?}`.
import { createInterface } from 'node:readline'
import type { ModelMessage } from '../../../internal/model/model.ts'
import type { Broker } from '../../../internal/tui/approve.ts'

export interface Input extends Broker {
  /** The first message, or undefined when input ends without one. */
  first(): Promise<string | undefined>
  /** Messages that came since the last time. */
  take(): ModelMessage[]
  close(): void
}

/** A line that is neither is passed over: what a broken client writes must not end a run. */
export function inputLines(stdin: NodeJS.ReadableStream, signal: AbortSignal): Input {
  const lines = createInterface({ input: stdin })
  const said: string[] = []
  const verdicts = new Map<string, { allow: boolean; why: string }>()
  const waiting = new Set<() => void>()
  let ended = false
  const wake = () => {
    for (const go of [...waiting]) go()
  }
  lines.on('line', (line) => {
    const message = parse(line)
    if (message?.type === 'user' && typeof message.text === 'string') said.push(message.text)
    if (message?.type === 'approval' && typeof message.call === 'string') {
      const why = typeof message.why === 'string' ? message.why : 'answered on standard input'
      verdicts.set(message.call, { allow: message.allow === true, why })
    }
    wake()
  })
  lines.on('close', () => {
    ended = true
    wake()
  })
  signal.addEventListener('abort', wake)
  const until = async <T>(look: () => T | undefined, ms?: number): Promise<T | undefined> => {
    const deadline = ms === undefined ? Number.POSITIVE_INFINITY : Date.now() + ms
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      const left = deadline - Date.now()
      if (ended || signal.aborted || left <= 0) return undefined
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, Math.min(left, 60_000))
        waiting.add(go)
      })
    }
  }
  return {
    first: () => until(() => said.shift()),
    take: () => said.splice(0).map((content) => ({ role: 'user', content })),
    verdict: (call, ms) => until(() => verdicts.get(call), ms),
    close: () => lines.close(),
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
