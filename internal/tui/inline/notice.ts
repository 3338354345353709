// Notifications for a user who looks elsewhere: a bell, a desktop notice, a program, and the terminal title.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type SessionView, waitsForUser } from '../../session/view/session-view.ts'

/** Shortest run in milliseconds whose end is notified. For shorter runs, users wait at the screen. */
const longRunMs = 15_000
const maxTitle = 60

/** Matches terminals that show a desktop notice. Other terminals would print it as text. */
const showsNotice = /^(?:iTerm\.app|WezTerm|ghostty)$/

interface NoticeSettings {
  focused: boolean | undefined
  env: Readonly<Record<string, string | undefined>>
  notify: NoticeKind | undefined
  /** Starts the user's notification program with the text. */
  run?: ((program: readonly string[], text: string) => void) | undefined
}

/**
 * The kind of notification. A list is a program with its arguments, after which the message follows as
 * the last argument.
 */
export type NoticeKind = 'off' | 'bell' | 'osc9' | readonly string[]

/**
 * Returns the bytes of a notification for the terminal. Returns an empty text if none is due, or if `run`
 * was called instead.
 */
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

/** Returns the bytes of the terminal title, which depends only on the view. */
export function titleBytes({ title, run, waits, questions }: SessionView): string {
  const state = waitsForUser({ waits, questions }) ? 'waits: ' : run ? 'works: ' : ''
  const text = sanitizeText(title).slice(0, maxTitle)
  return `\x1b]0;anode${text === '' && state === '' ? '' : ` ${state}${text}`}\x07`
}
