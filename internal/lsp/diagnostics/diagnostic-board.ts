// What a server says is wrong with each file, by version: what is fresh, what is not, and what an edit
// changed.

import { objectOf } from '../../base/untrusted-json.ts'
import type { LspDiagnostic } from '../../tool/lsp.ts'
import { pointOf, textOf, valuesOf } from '../protocol/protocol-values.ts'

/** A diagnostic as the server gave it; characters are in the server's units. */
export type ServerDiagnostic = Omit<LspDiagnostic, 'isNew'>

/** The last list whose version is known, and the one before it. */
interface Settled {
  version: number
  list: ServerDiagnostic[]
  before: ServerDiagnostic[] | undefined
}

/** How the diagnostics of one version stand. */
export type DiagnosticStanding = 'fresh' | 'provisional' | 'pending'

interface Sheet {
  /** The epoch in which the settled list was given. */
  epoch: number
  /** Pushed beside what is asked for, by servers that do both. */
  extra: { version: number; list: ServerDiagnostic[] } | undefined
  settled: Settled | undefined
  /** The last list that came without a version since the current one was sent. */
  loose: { list: ServerDiagnostic[]; at: number; late: boolean } | undefined
  /** The version that is current, and whether the server has answered a request sent behind it. */
  version: number
  acknowledged: boolean
  /** Whether the server has ever pushed anything for the file. */
  heard: boolean
  /** Whether a first empty list is all that has come for the current version. */
  provisional: boolean
}

const maxSizes = { files: 2_000, each: 1_000, message: 2_000 }

/**
 * After this long without another list, one that came without a version counts as the answer to the last
 * change.
 */
const quiet = { late: 200, early: 1_000 }

export interface DiagnosticBoard {
  /** Takes `textDocument/publishDiagnostics`; `path` is what its URI means. */
  push(path: string, version: number | undefined, list: unknown): void
  /** The answer to a question about exactly this version. */
  settle(path: string, version: number, list: ServerDiagnostic[]): void
  /** A new version was sent. */
  begin(path: string, version: number): void
  /** A request that was sent behind that version has been answered. */
  acknowledge(path: string, version: number): void
  standing(
    path: string,
    version: number,
  ): { standing: DiagnosticStanding; settled?: Settled; retryMs?: number }
  /** What was asked for has to be asked for again. */
  takeBack(): void
  /** Counts up with each `takeBack`. */
  epoch(): number
  paths(): string[]
  /** Resolves at the next news about any file, or when `signal` aborts. */
  news(signal: AbortSignal): Promise<void>
}

/**
 * `pulled`: the lists are asked for, so one that is pushed without a version has nothing to say. `now` in ms.
 */
export function openBoard(
  pulled: () => boolean,
  now: () => number = () => performance.now(),
): DiagnosticBoard {
  return new SheetBoard(pulled, now)
}

class SheetBoard implements DiagnosticBoard {
  readonly #pulled: () => boolean
  readonly #now: () => number
  readonly #sheets = new Map<string, Sheet>()
  #waiting: (() => void)[] = []
  #epoch = 0

  constructor(pulled: () => boolean, now: () => number) {
    this.#pulled = pulled
    this.#now = now
  }

  push(path: string, version: number | undefined, raw: unknown): void {
    // files that nobody asked about do not crowd out those that somebody does
    if (this.#sheets.size >= maxSizes.files && !this.#sheets.has(path)) return
    const sheet = this.#sheetOf(path)
    const list = readDiagnostics(raw)
    const isFirst = !sheet.heard
    sheet.heard = true
    if (this.#pulled()) {
      if (version !== undefined) sheet.extra = { version, list }
    } else if (version !== undefined) {
      if (version === sheet.version) this.#keep(sheet, version, list)
    } else if (isFirst && list.length === 0) {
      sheet.provisional = true
    } else {
      sheet.loose = { list, at: this.#now(), late: sheet.acknowledged }
    }
    this.#notify()
  }

  settle(path: string, version: number, list: ServerDiagnostic[]): void {
    const sheet = this.#sheetOf(path)
    if (version === sheet.version) this.#keep(sheet, version, list)
    this.#notify()
  }

  begin(path: string, version: number): void {
    const sheet = this.#sheetOf(path)
    if (sheet.version === version) return
    Object.assign(sheet, { version, acknowledged: false, loose: undefined, provisional: false })
  }

  acknowledge(path: string, version: number): void {
    const sheet = this.#sheetOf(path)
    if (sheet.version !== version) return
    sheet.acknowledged = true
    // the clock of a list that came early starts when the server has taken note of the change
    if (sheet.loose) sheet.loose.at = this.#now()
    this.#notify()
  }

  standing(path: string, version: number): ReturnType<DiagnosticBoard['standing']> {
    const sheet = this.#sheetOf(path)
    const { loose } = sheet
    if (loose && sheet.version === version && sheet.acknowledged) {
      const left = loose.at + (loose.late ? quiet.late : quiet.early) - this.#now()
      if (left > 0) return { standing: 'pending', retryMs: left }
      this.#keep(sheet, version, loose.list)
    }
    if (sheet.settled?.version === version && (sheet.epoch === this.#epoch || !this.#pulled())) {
      const more = sheet.extra?.version === version ? sheet.extra.list : []
      return { standing: 'fresh', settled: { ...sheet.settled, list: union(sheet.settled.list, more) } }
    }
    return { standing: sheet.provisional && !sheet.loose ? 'provisional' : 'pending' }
  }

  takeBack(): void {
    this.#epoch++
    this.#notify()
  }

  epoch(): number {
    return this.#epoch
  }

  paths(): string[] {
    return [...this.#sheets].filter(([, sheet]) => sheet.settled || sheet.loose).map(([path]) => path)
  }

  news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  #notify(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const wake of all) wake()
  }

  #sheetOf(path: string): Sheet {
    const there = this.#sheets.get(path)
    if (there) return there
    const blank = blankSheet()
    this.#sheets.set(path, blank)
    return blank
  }

  #keep(sheet: Sheet, version: number, list: ServerDiagnostic[]): void {
    const { settled } = sheet
    const before = settled?.version === version ? settled.before : settled?.list
    sheet.settled = { version, list, before }
    sheet.epoch = this.#epoch
    sheet.loose = undefined
  }
}

const blankSheet = (): Sheet => ({
  settled: undefined,
  loose: undefined,
  extra: undefined,
  version: 0,
  epoch: 0,
  acknowledged: false,
  heard: false,
  provisional: false,
})

/** Both lists, what stands in both only once. */
function union(list: ServerDiagnostic[], more: readonly ServerDiagnostic[]): ServerDiagnostic[] {
  const { isNew } = compareDiagnostics(more, list)
  return [...list, ...more.filter((_, i) => isNew[i])]
}

const levels = ['error', 'warning', 'info', 'hint'] as const

/** At most 1,000; what has no message or no place is left out. */
export function readDiagnostics(value: unknown): ServerDiagnostic[] {
  return valuesOf(value)
    .slice(0, maxSizes.each)
    .flatMap((one) => {
      const raw = objectOf(one)
      const at = pointOf(objectOf(raw?.range)?.start)
      const message = textOf(raw?.message, maxSizes.message)
      if (!raw || !at || message === undefined) return []
      const severity = levels[Number(raw.severity ?? 1) - 1] ?? 'error'
      return { ...at, severity, message, ...readLabels(raw.code, raw.source) }
    })
}

/** Rule and tool, as far as they are said. */
export function readLabels(code: unknown, source: unknown): Pick<ServerDiagnostic, 'code' | 'source'> {
  const rule = typeof code === 'number' ? String(code) : textOf(code)
  const tool = textOf(source)
  return { code: rule, source: tool }
}

/**
 * Which of a list were not there before, and how many of before are gone. Places may have moved and do not
 * count.
 */
export function compareDiagnostics(
  list: readonly ServerDiagnostic[],
  before: readonly ServerDiagnostic[],
): { isNew: boolean[]; fixed: number } {
  const left = new Map<string, number>()
  for (const one of before) left.set(identity(one), (left.get(identity(one)) ?? 0) + 1)
  const isNew = list.map((one) => {
    const count = left.get(identity(one)) ?? 0
    if (count > 0) left.set(identity(one), count - 1)
    return count === 0
  })
  return { isNew, fixed: [...left.values()].reduce((sum, count) => sum + count, 0) }
}

const identity = ({ severity, code = '', source = '', message }: ServerDiagnostic) =>
  [severity, source, code, message].join('\0')
