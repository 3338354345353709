// What a run shows on standard error while it works: one line per call, and on a terminal a line that moves.
import type { Event } from '../event/event.ts'
import { clean } from '../render/clean.ts'

export interface Progress {
  event(event: Event): void
  note(text: string): void
  /** Takes the moving line away and returns what brings it back. */
  pause(): () => void
  done(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** The part of a write stream that is used. */
interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

export function progress(out: Screen, options: { live: boolean; silent: boolean }): Progress {
  const running = new Map<string, string>()
  let paused = false
  let shown = false
  let frame = 0
  const width = () => (out.columns ?? 80) - 1
  const erase = () => {
    if (shown) out.write('\r\u001b[2K')
    shown = false
  }
  const draw = () => {
    if (paused) return
    const what = running.size > 0 ? [...running.values()].join(', ') : 'thinking'
    out.write(`\r\u001b[2K${cut(`${frames[frame++ % frames.length]} ${what}`, width())}`)
    shown = true
  }
  const timer = options.live && !options.silent ? setInterval(draw, 120) : undefined
  timer?.unref()
  const print = (line: string) => {
    if (options.silent) return
    erase()
    out.write(`${out.isTTY ? cut(line, width()) : line}\n`)
  }
  return {
    event(event) {
      if (event.type === 'tool.call')
        running.set(event.payload.call, label(event.payload.tool, event.payload.args))
      if (event.type === 'tool.progress' && running.has(event.payload.call)) {
        const { call, tool, progress, total, message } = event.payload
        const far = total === undefined ? String(progress) : `${progress}/${total}`
        running.set(call, `${tool} ${far} ${clean(message ?? '')}`.trimEnd())
      }
      if (event.type === 'tool.result') {
        const { call, tool, ok, code, ms } = event.payload
        const what = running.get(call) ?? tool
        running.delete(call)
        const spent = ms === undefined ? '' : `  ${time(ms)}`
        print(ok ? `✔ ${what}${spent}` : `✖ ${what}  ${code ?? 'failed'}${spent}`)
      }
      if (event.type === 'message.delta' && event.status === 'discarded') {
        print(`… ${clean(String(event.payload.why))}; trying again`)
      }
      if (event.type === 'child.started') print(`> ${clean(event.payload.title)}  ${event.payload.thread}`)
      if (event.type === 'limit') print(`! ${event.payload.message}`)
    },
    note(text) {
      if (options.silent) return
      erase()
      out.write(`note: ${clean(text)}\n`)
    },
    pause() {
      erase()
      paused = true
      return () => {
        paused = false
      }
    },
    done() {
      clearInterval(timer)
      erase()
    },
  }
}

/** A tool and the most telling of its arguments on one line. */
function label(tool: string, args: unknown): string {
  const values = Object.values((args ?? {}) as Record<string, unknown>)
  const first = values.find((value) => typeof value === 'string' && value !== '')
  return `${tool} ${clean(String(first ?? ''))
    .replaceAll('\n', ' ')
    .slice(0, 100)}`.trimEnd()
}

function time(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line
}
