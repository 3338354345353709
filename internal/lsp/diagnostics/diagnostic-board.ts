// Latest diagnostics from a server for each file, also those of an earlier version of the file, and a
// comparison that shows the effect of an edit.

import { objectOf } from '../../base/untrusted-json.ts'
import type { LspDiagnostic } from '../../tool/lsp.ts'
import { pointOf, textOf, valuesOf } from '../protocol/protocol-values.ts'

/** A diagnostic from the server. Its columns count UTF-8 bytes or UTF-16 units, as agreed with the server. */
export type ServerDiagnostic = Omit<LspDiagnostic, 'isNew'>

/**
 * The latest list of diagnostics whose file version is certain, and `before`, the last such list of
 * an earlier version.
 */
interface SettledList {
  version: number
  list: ServerDiagnostic[]
  before: ServerDiagnostic[] | undefined
}

/**
 * State of the diagnostics of one version. `fresh`: they are complete. `provisional`: only a first empty list
 * has arrived. `pending`: none has arrived, or a newer one may follow.
 */
export type DiagnosticStanding = 'fresh' | 'provisional' | 'pending'

interface FileSheet {
  /**
   * Value of `DiagnosticBoard.epoch` when `settled` was stored; a smaller value than now means that the
   * server has invalidated the list.
   */
  epoch: number
  /**
   * Latest list that the server sent by itself with a version, although it also answers requests. The list is
   * added to the requested one.
   */
  extra: { version: number; list: ServerDiagnostic[] } | undefined
  settled: SettledList | undefined
  /**
   * Latest list that the server sent by itself without a version, after the current version of the
   * file was sent.
   */
  loose: { list: ServerDiagnostic[]; at: number; late: boolean } | undefined
  /**
   * Version of the file that was sent last, and whether the server has answered a request that was
   * sent after it.
   */
  version: number
  acknowledged: boolean
  /** Whether the server has ever sent a list for the file by itself. */
  heard: boolean
  /** Whether a first empty list is the only response to the current version. */
  provisional: boolean
}

const maxSizes = { files: 2_000, each: 1_000, message: 2_000 }

/**
 * Milliseconds that must pass without a newer list before a list without a version is accepted for the
 * current version. `late` is for a list that came after an answer to a request about that version.
 */
const quiet = { late: 200, early: 1_000 }

export interface DiagnosticBoard {
  /**
   * Records a list that the server sent by itself (`textDocument/publishDiagnostics`) for the file `path`.
   * Some lists are ignored, such as one for an old version or for a new file above 2,000 files.
   */
  push(path: string, version: number | undefined, list: unknown): void
  /** Stores the answer to a request for this version, unless another version was sent meanwhile. */
  settle(path: string, version: number, list: ServerDiagnostic[]): void
  /** Records that a new version of the file was sent to the server. */
  begin(path: string, version: number): void
  /**
   * Records that the server has answered a request that was sent after that version, so the server
   * knows the version.
   */
  acknowledge(path: string, version: number): void
  standing(
    path: string,
    version: number,
  ): { standing: DiagnosticStanding; settled?: SettledList; retryMs?: number }
  /** Invalidates all answers, so that they are requested again. */
  takeBack(): void
  /** Number of times that all answers were invalidated. */
  epoch(): number
  paths(): string[]
  /**
   * Resolves at the next event of any file, such as pushed diagnostics or an answer, or when `signal` aborts.
   */
  news(signal: AbortSignal): Promise<void>
}

/**
 * Opens a board. While `pulled` returns true, Anode requests the diagnostics, so a list that the server sends
 * by itself without a version is ignored. `now` returns milliseconds.
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
  readonly #sheets = new Map<string, FileSheet>()
  #waiting: (() => void)[] = []
  #epoch = 0

  constructor(pulled: () => boolean, now: () => number) {
    this.#pulled = pulled
    this.#now = now
  }

  push(path: string, version: number | undefined, raw: unknown): void {
    // a list that the server sent by itself for a new file is dropped at the limit of files, which leaves
    // room for files that a tool call needs
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
    // a list that came before this answer starts its quiet time now, because only now the server certainly
    // has the change
    if (sheet.loose) sheet.loose.at = this.#now()
    this.#notify()
  }

  standing(path: string, version: number): ReturnType<DiagnosticBoard['standing']> {
    const sheet = this.#sheetOf(path)
    const { loose } = sheet
    if (loose && sheet.version === version && sheet.acknowledged) {
      const waitMs = loose.at + (loose.late ? quiet.late : quiet.early) - this.#now()
      if (waitMs > 0) return { standing: 'pending', retryMs: waitMs }
      this.#keep(sheet, version, loose.list)
    }
    if (sheet.settled?.version === version && (sheet.epoch === this.#epoch || !this.#pulled())) {
      const more = sheet.extra?.version === version ? sheet.extra.list : []
      return {
        standing: 'fresh',
        settled: { ...sheet.settled, list: mergeDiagnostics(sheet.settled.list, more) },
      }
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

  #sheetOf(path: string): FileSheet {
    const there = this.#sheets.get(path)
    if (there) return there
    const blank = blankSheet()
    this.#sheets.set(path, blank)
    return blank
  }

  #keep(sheet: FileSheet, version: number, list: ServerDiagnostic[]): void {
    const { settled } = sheet
    const before = settled?.version === version ? settled.before : settled?.list
    sheet.settled = { version, list, before }
    sheet.epoch = this.#epoch
    sheet.loose = undefined
  }
}

const blankSheet = (): FileSheet => ({
  settled: undefined,
  loose: undefined,
  extra: undefined,
  version: 0,
  epoch: 0,
  acknowledged: false,
  heard: false,
  provisional: false,
})

/** Returns `list` and those entries of `more` that it does not contain. Positions are not compared. */
function mergeDiagnostics(list: ServerDiagnostic[], more: readonly ServerDiagnostic[]): ServerDiagnostic[] {
  const { isNew } = compareDiagnostics(more, list)
  return [...list, ...more.filter((_, i) => isNew[i])]
}

const levels = ['error', 'warning', 'info', 'hint'] as const

/**
 * Reads at most 1,000 diagnostics, cuts messages after 2,000 characters, and skips those without a
 * message or place.
 */
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

/**
 * Returns the rule (`code`) and the tool (`source`) of a diagnostic; undefined for one that the server
 * does not send.
 */
export function readLabels(code: unknown, source: unknown): Pick<ServerDiagnostic, 'code' | 'source'> {
  const rule = typeof code === 'number' ? String(code) : textOf(code)
  const tool = textOf(source)
  return { code: rule, source: tool }
}

/**
 * Returns which diagnostics are new, and how many earlier ones are gone. Places may have moved, so they
 * are not compared.
 */
export function compareDiagnostics(
  list: readonly ServerDiagnostic[],
  before: readonly ServerDiagnostic[],
): { isNew: boolean[]; fixed: number } {
  const remainingCounts = new Map<string, number>()
  for (const one of before)
    remainingCounts.set(identityOf(one), (remainingCounts.get(identityOf(one)) ?? 0) + 1)
  const isNew = list.map((one) => {
    const count = remainingCounts.get(identityOf(one)) ?? 0
    if (count > 0) remainingCounts.set(identityOf(one), count - 1)
    return count === 0
  })
  return { isNew, fixed: [...remainingCounts.values()].reduce((sum, count) => sum + count, 0) }
}

const identityOf = ({ severity, code = '', source = '', message }: ServerDiagnostic) =>
  [severity, source, code, message].join('\0')
