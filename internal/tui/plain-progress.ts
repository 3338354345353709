// What a run shows on standard error where that is no terminal: one plain line for each call, note and retry.
import type { Event } from '../event/event.ts'
import { sanitizeText } from '../render/text/terminal-filter.ts'
import { compactionLine } from './compaction-line.ts'
import { formatDuration } from './duration.ts'

export interface RunProgress {
  event(event: Event): void
  note(text: string): void
  /** Keeps the screen for somebody else until what it returns is called. */
  pause(): () => void
  done(): void
}

/** The part of a write stream that is used. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
  /** Writes cursor movement, unfiltered; absent where `write` filters nothing. */
  draw?(text: string): unknown
}

export function openProgress(out: ProgressOutput, { silent }: { silent: boolean }): RunProgress {
  const running = new Map<string, string>()
  /** What the model called in its last response, by its own ids: a refused call has no other record. */
  let called = new Map<string, string>()
  const print = (line: string) => {
    if (!silent) out.write(`${line}\n`)
  }
  return {
    event(event) {
      if (event.type === 'message' && event.payload.role === 'assistant')
        called = new Map(event.payload.calls?.map(({ id, name, args }) => [id, label(name, args)]))
      if (event.type === 'tool.call')
        running.set(event.payload.call, label(event.payload.tool, event.payload.args))
      if (event.type === 'tool.result') {
        const { call, tool, ok, code, ms, model_call: id = '' } = event.payload
        const what = running.get(call) ?? called.get(id) ?? sanitizeText(tool)
        running.delete(call)
        const spent = ms === undefined ? '' : `  ${formatDuration(ms)}`
        const end = ok ? emptyEnd(event.payload) : `  ${endOf(event.payload) ?? code ?? 'failed'}`
        print(`${ok ? '✔' : '✖'} ${what}${end}${spent}`)
      }
      if (event.type === 'message.delta' && event.status === 'discarded') {
        print(`… ${sanitizeText(String(event.payload.why))}; ${retryText(event.payload)}`)
      }
      if (event.type === 'child.started')
        print(`> ${sanitizeText(event.payload.title)}  ${event.payload.thread}`)
      if (event.type === 'model.notice') print(`! ${sanitizeText(event.payload.text)}`)
      if (event.type === 'message' && event.payload.role === 'summary')
        print(`~ ${compactionLine(event.payload)}`)
      if (event.type === 'limit') print(`! ${event.payload.message}`)
    },
    note: (text) => print(`note: ${sanitizeText(text)}`),
    pause: () => () => undefined,
    done: () => undefined,
  }
}

/** A tool and the most telling of its arguments on one line. */
function label(tool: string, args: unknown): string {
  const values = Object.values((args ?? {}) as Record<string, unknown>)
  const first = values.find((value) => typeof value === 'string' && value !== '')
  const text = sanitizeText(String(first ?? '')).slice(0, 100)
  return `${sanitizeText(tool)} ${text}${lineRange(args)}`.trimEnd()
}

/** The lines that a call asks for, where it does not ask for all: `:3-4`. */
function lineRange(args: unknown): string {
  const { read_range: range, start_line, end_line } = (args ?? {}) as Readonly<Record<string, unknown>>
  const [first = start_line, last = end_line] = Array.isArray(range) ? range : []
  if (typeof last === 'number') return `:${typeof first === 'number' ? first : 1}-${last}`
  return typeof first === 'number' && first > 1 ? `:${first}-` : ''
}

/** Of a search that found nothing, that it did. */
function emptyEnd({ data }: Readonly<Record<string, unknown>>): string {
  const { matches, results } = (data ?? {}) as Readonly<Record<string, unknown>>
  const hits = matches ?? results
  return Array.isArray(hits) && hits.length === 0 ? '  no match' : ''
}

function endOf({ exit, code }: Readonly<Record<string, unknown>>): string | undefined {
  if (code === 'timeout') return 'timed out'
  return typeof exit === 'number' && exit !== 0 ? `exit ${exit}` : undefined
}

/** Which try comes next, and when. */
export function retryText({ retry, tries, wait_ms: wait }: Readonly<Record<string, unknown>>): string {
  const which = typeof tries === 'number' ? `try ${retry} of ${tries}` : 'trying again'
  return typeof wait === 'number' && wait >= 100 ? `${which}, again in ${formatDuration(wait)}` : which
}
