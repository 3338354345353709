// What goes on in a session and would end with it: whether there is any, what it is, and its end.
import { createUlid } from '../../base/ids.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { formatDuration } from '../duration.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { InlineState } from './inline-state.ts'

/** What every screen knows of it. */
interface BusySession {
  conversation: Pick<InlineState['conversation'], 'view' | 'client'>
  screen: { verb: { name: string } | undefined }
}

/** How long a stopped run may take to say its end. */
export const stopMs = 2_500

export const hasRun = ({ run, calls }: InlineState['conversation']['view']) =>
  run !== undefined || calls.length > 0

/** What ends where this screen is left: of a session that lives elsewhere only what this screen has begun. */
export const isBusy = ({ conversation: { view, client }, screen: { verb } }: BusySession) =>
  verb !== undefined || (!client.isElsewhere && (hasRun(view) || view.jobs.length > 0))

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

/** What belongs to this process cannot go on without it. */
export function lostLines({ conversation: { view }, screen: { verb } }: BusySession): SourceLine[] {
  const calls = view.calls.filter(({ byPerson }) => byPerson).map(({ tool }) => tool)
  const lost = [...calls, ...view.jobs.map(({ command }) => command), ...(verb ? [`/${verb.name}`] : [])]
  return lost.length === 0
    ? []
    : [{ text: sanitizeText(`d keeps the run alone; it ends: ${lost.join(', ')}`) }]
}

/** What of the run is open now: it leaves once that is over. */
export function nameStep({ conversation: { view } }: Pick<BusySession, 'conversation'>): string {
  const tools = [...new Set(view.calls.filter(({ byPerson }) => !byPerson).map(({ tool }) => tool))]
  if (tools.length > 2) return 'these calls'
  return tools.length > 0 ? sanitizeText(tools.join(' and ')) : 'this reply'
}

interface StoppedScreen {
  conversation: BusySession['conversation']
  screen: Pick<InlineState['screen'], 'leaving'>
}

/** A run that ends with the screen says its end before; what lives elsewhere or is about to goes on. */
export async function stopGoingOn({ conversation, screen }: StoppedScreen): Promise<void> {
  if (conversation.client.isElsewhere || screen.leaving?.kind === 'hand_over' || !hasRun(conversation.view))
    return
  await conversation.client.sendCommand({ type: 'interrupt', id: createUlid() })
  const until = Date.now() + stopMs
  while (hasRun(conversation.view) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20))
}
