// What tells a person who looks elsewhere that something ended or waits: bell, notice, program, title.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** Shorter runs are waited for. */
const longRunMs = 15_000
const maxTitle = 60

/** Terminals that show a notice of the desktop; others would print it. */
const showsNotice = /^(?:iTerm\.app|WezTerm|ghostty)$/

interface NoticeSettings {
  focused: boolean | undefined
  env: Readonly<Record<string, string | undefined>>
  notify: NoticeKind | undefined
  /** Runs a program that tells the person. */
  run?: ((program: readonly string[], text: string) => void) | undefined
}

/** A list is a program with its arguments: what there is to say comes as the last one. */
export type NoticeKind = 'off' | 'bell' | 'osc9' | readonly string[]

/** Bytes for the terminal; empty where nobody has to be told, or `run` was called for it. */
export function noticeBytes(
  before: SessionView,
  after: SessionView,
  now: number,
  { focused, env, notify, run }: NoticeSettings,
): string {
  if (focused === true || notify === 'off') return ''
  const isEnded = before.run !== undefined && !after.run && now - before.run.since >= longRunMs
  const waiting = after.waits.length + after.questions.length
  const isAsked = waiting > before.waits.length + before.questions.length
  if (!isEnded && !isAsked) return ''
  const text = isAsked ? 'anode waits for an answer' : 'anode is done'
  if (typeof notify === 'object' && run) {
    run(notify, text)
    return ''
  }
  const isShown = notify === undefined ? showsNotice.test(env.TERM_PROGRAM ?? '') : notify === 'osc9'
  return isShown ? `\x1b]9;${text}\x07\x07` : '\x07'
}

/** The title of the terminal: it changes with what goes on, never by itself. */
export function titleBytes({ title, run, waits, questions }: SessionView): string {
  const state = waits.length + questions.length > 0 ? 'waits: ' : run ? 'works: ' : ''
  const text = sanitizeText(title).slice(0, maxTitle)
  return `\x1b]0;anode${text === '' && state === '' ? '' : ` ${state}${text}`}\x07`
}
