// The first lines of a new conversation: the branch, the last conversations of the workspace, and one tip.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ThreadSummary } from '../../session/client.ts'
import { formatAge } from '../dialog/palette.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import type { InlineState } from './inline-state.ts'

const maxRecent = 3

const tips: readonly string[] = [
  '@ attaches a file, ! runs a shell command',
  '/undo reverts what the last run changed',
  'Shift-Tab changes what needs your approval',
  'Esc twice goes back to an earlier message',
  '/fork tries something else in a copy of the conversation',
  'anode study "QUESTION" answers with quotes from your files',
]

/** Adds the start lines to a new conversation, unless it has already begun. */
export async function showStart(state: InlineState, now = Date.now()): Promise<void> {
  const { client } = state.conversation
  const { service } = state.screen
  if (client.openedAt > 0) return
  const results = await Promise.all([
    service.listThreads({ limit: maxRecent + 1 }),
    service.readBranch?.(),
  ]).catch(() => undefined)
  const earlier = results?.[0].filter(({ thread }) => thread !== client.thread).slice(0, maxRecent) ?? []
  const { view, sending } = state.conversation
  if (view.blocks.length > 0 || view.run || sending) return
  const lines = drawStart(state, earlier, results?.[1], now)
  // On the full screen, `after: 0` puts these lines above everything that arrives before the next frame.
  if (state.display.form === 'full') state.display.full.notes.push({ after: 0, lines })
  else state.hints.notes.push(lines)
  state.screen.changed()
}

function drawStart(
  state: InlineState,
  threads: readonly ThreadSummary[],
  branch: string | undefined,
  now: number,
): string[] {
  const pen = penOfLook(narrowLook(state.display.look, margin))
  const dim = pen.paint({ dim: true })
  const where = branch === undefined ? [] : [`on ${sanitizeText(branch)}`]
  const head = threads.length === 0 ? where : [...where, 'earlier conversations (/resume opens one):']
  const ages = threads.map(({ updated }) => formatAge(now - updated))
  const width = Math.max(...ages.map((age) => age.length))
  const rows = threads.map(
    ({ title }, i) => `  ${(ages[i] as string).padStart(width)}  ${sanitizeText(title)}`,
  )
  // the first conversation of a workspace always has the first tip, the others another one each day
  const tip = tips[threads.length === 0 ? 0 : Math.floor(now / dayMs) % tips.length] as string
  const wrap = (text: string) => pen.wrap(text, pen.look.width)
  return indentLines([
    ...(head.length > 0 ? wrap(head.join('; ')).map(dim) : []),
    ...rows.map((row) => dim(pen.clip(row, pen.look.width))),
    ...wrap(`tip: ${tip}`).map(dim),
  ])
}

const dayMs = 86_400_000
