// The work that would end together with a session: the check for such work, its description, and how
// to stop it.
import { createUlid } from '../../base/ids.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { waitsForUser } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { InlineState } from './inline-state.ts'

/** The parts of a screen that show whether its session is busy. */
interface BusySession {
  conversation: Pick<InlineState['conversation'], 'view' | 'client'>
  screen: { verb: { name: string } | undefined }
}

/** Time in milliseconds that a stopped run has to record its end. */
export const stopMs = 2_500

export const hasRun = ({ run, calls }: InlineState['conversation']['view']) =>
  run !== undefined || calls.length > 0

/**
 * Returns true if work would end with this screen. For a session in another process, only the screen's
 * own command would.
 */
export const isBusy = ({ conversation: { view, client }, screen: { verb } }: BusySession) =>
  verb !== undefined || (!client.isElsewhere && (hasRun(view) || view.jobs.length > 0))

/** Returns the keys for a text that is typed during a run, with the effect of each. */
export function steeringHint(view: InlineState['conversation']['view']): string {
  const enter = view.questions.length > 0 ? 'sends it instead' : 'steers'
  return `Enter ${enter}  Tab ${waitsForUser(view) ? 'answers' : 'queues'}`
}

export function busyLines({ conversation: { view }, screen: { verb } }: BusySession): SourceLine[] {
  const now = Date.now()
  const lines = [
    ...(view.run ? [`a run, ${formatDuration(now - view.run.since)}`] : []),
    ...view.children.map(({ title }) => `an agent: ${title}`),
    ...view.calls.filter(({ byPerson }) => byPerson).map(({ tool }) => `${tool}, called by you`),
    ...view.jobs.map(({ command }) => `in the background: ${command}`),
    ...(verb ? [`/${verb.name}`] : []),
  ]
  return lines.map((text) => ({ text: sanitizeText(text) }))
}

/**
 * Returns a line about work that ends even if the run continues in the background: calls that the user
 * started, background commands, and a command of the screen. Returns an empty list without such work.
 */
export function lostLines({ conversation: { view }, screen: { verb } }: BusySession): SourceLine[] {
  const calls = view.calls.filter(({ byPerson }) => byPerson).map(({ tool }) => tool)
  const lost = [...calls, ...view.jobs.map(({ command }) => command), ...(verb ? [`/${verb.name}`] : [])]
  return lost.length === 0
    ? []
    : [{ text: sanitizeText(`d keeps only the run; this ends: ${lost.join(', ')}`) }]
}

/**
 * Returns the names of the tools that the model's calls run now: `these calls` for more than two tools, `this
 * response` without a call. A run moves to the background only after this step.
 */
export function nameStep({ conversation: { view } }: Pick<BusySession, 'conversation'>): string {
  const tools = [...new Set(view.calls.filter(({ byPerson }) => !byPerson).map(({ tool }) => tool))]
  if (tools.length > 2) return 'these calls'
  return tools.length > 0 ? sanitizeText(tools.join(' and ')) : 'this response'
}

interface StoppedScreen {
  conversation: BusySession['conversation']
  screen: Pick<InlineState['screen'], 'leaving'>
}

/**
 * Interrupts the run and the calls of the user, and waits at most `stopMs` until their end is recorded. A run
 * that is in another process, or moving to the background, continues.
 */
export async function stopGoingOn({ conversation, screen }: StoppedScreen): Promise<void> {
  if (conversation.client.isElsewhere || screen.leaving?.kind === 'hand_over' || !hasRun(conversation.view))
    return
  await conversation.client.sendCommand({ type: 'interrupt', id: createUlid(), leaves: true })
  const until = Date.now() + stopMs
  while (hasRun(conversation.view) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20))
}
