// The pane at the right of the full screen with tasks, subagents, jobs and changed files. The
// functions are pure.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { type ChangedFile, collectChanges } from '../run-view/file-changes.ts'
import { drawTodos } from '../run-view/tool-lines.ts'
import { outcomeOfBlock } from '../run-view/tool-outcome.ts'
import { penOfLook, spreadLine } from '../view/look-pen.ts'
import { drawPartTitle } from '../view/part-title.ts'
import { shortThreadName } from '../view/status-line.ts'
import { drawAgents, drawJobs } from '../view/work-rows.ts'

/** Smallest number of terminal columns at which the screen has room for the pane. */
const leastColumns = 110

/** Returns the width of the pane with its edge, or 0 if the terminal is too narrow. */
export const paneCells = (columns: number): number =>
  columns < leastColumns ? 0 : Math.min(54, Math.max(40, Math.floor(columns * 0.37)))

/**
 * `maxTodos` and `maxFiles` are the largest numbers of tasks and of changed files in the pane. Of more tasks,
 * the first ones that are not completed are shown; of more files, the latest.
 */
const maxTodos = 10
const maxFiles = 8

interface PaneSource {
  view: SessionView
  /** The views of the subagents, by thread. */
  children: ReadonlyMap<string, { view: SessionView }>
  /** The boards with studies and experiments; undefined without any. */
  boards: { drawPane(now: number, look: RenderLook): string[]; isEmpty(): boolean } | undefined
}

/** Returns true if the pane has work to show. Otherwise the conversation gets its columns. */
export const hasPaneWork = ({ view, boards }: Omit<PaneSource, 'children'>): boolean =>
  view.todo.length > 0 ||
  view.children.length > 0 ||
  view.jobs.length > 0 ||
  boards?.isEmpty() === false ||
  changesOf(view).length > 0

/** Returns the pane as exactly `rows` rows, each with the edge of the pane at its left. */
export function drawPane(
  { view, children, boards }: PaneSource,
  now: number,
  look: RenderLook,
  rows: number,
): string[] {
  const pen = penOfLook(look)
  const edge = pen.paint({ dim: true })(pen.look.unicode && pen.look.ambiguous === 1 ? '│ ' : '| ')
  const lines = [
    ...threadLines(view, look),
    ...todoLines(view, look),
    ...agentLines({ view, children }, now, look),
    ...(boards?.drawPane(now, look) ?? []),
    ...jobLines(view, now, look),
    ...fileLines(view, look),
  ]
  const visibleLines = lines.length > rows ? [...lines.slice(0, rows - 1), pen.glyphs.ellipsis] : lines
  return Array.from({ length: rows }, (_, i) => `${edge}${visibleLines[i] ?? ''}`)
}

function todoLines({ todo }: SessionView, look: RenderLook): string[] {
  if (todo.length === 0) return []
  const done = todo.filter(({ status }) => status === 'completed').length
  // If the list is too long, all finished tasks are omitted.
  const open = todo.length > maxTodos ? todo.filter(({ status }) => status !== 'completed') : todo
  const rows = drawTodos(open.slice(0, maxTodos), penOfLook(look))
  return [drawPartTitle(`TODO ${done} of ${todo.length}`, '/todo', look), ...rows, '']
}

function agentLines(
  { view, children }: Pick<PaneSource, 'view' | 'children'>,
  now: number,
  look: RenderLook,
): string[] {
  if (view.children.length === 0) return []
  const rows = drawAgents(view, now, { ...look, all: true }, children).map((row) => row.slice(1))
  return [drawPartTitle(`AGENTS ${view.children.length}`, '/agents', look), ...rows, '']
}

function jobLines(view: SessionView, now: number, look: RenderLook): string[] {
  if (view.jobs.length === 0) return []
  const rows = drawJobs(view, now, look).map((row) => row.slice(1))
  return [drawPartTitle(`JOBS ${view.jobs.length}`, '/jobs', look), ...rows, '']
}

/**
 * Returns rows with the title and the shortened ID of the thread, which the status line of the full screen
 * does not show.
 */
function threadLines({ title, thread }: SessionView, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const name = sanitizeText(title) || 'a new thread'
  const id = sanitizeText(shortThreadName(thread))
  return [pen.paint({ bold: true })(pen.clip(name, look.width)), drawPartTitle('', `${id}  Ctrl-T`, look), '']
}

const changed = new WeakMap<SessionView['blocks'], ChangedFile[]>()

/**
 * Returns the files that the calls in the view have changed; calls of dropped blocks are missing. Blocks are
 * replaced, never changed, so the result is cached for each list of blocks.
 */
function changesOf({ blocks }: SessionView): ChangedFile[] {
  const cachedFiles = changed.get(blocks)
  if (cachedFiles) return cachedFiles
  const list = collectChanges()
  for (const block of blocks) {
    const outcome = block.kind === 'call' ? outcomeOfBlock(block) : undefined
    if (outcome) list.add(outcome)
  }
  const files = list.files()
  changed.set(blocks, files)
  return files
}

function fileLines(view: SessionView, look: RenderLook): string[] {
  const files = changesOf(view)
  if (files.length === 0) return []
  const pen = penOfLook(look)
  const rows = files.slice(-maxFiles).map(({ kind, path, added, removed, counted }) => {
    const figures = counted ? `+${added} -${removed}` : ''
    return spreadLine(`${kind} ${sanitizeText(path)}`, figures, look.width, pen)
  })
  const more = files.length - rows.length
  return [
    // The number gets a `+` if the view has dropped blocks, because those may have changed other files.
    drawPartTitle(`FILES ${files.length}${view.dropped > 0 ? '+' : ''} changed`, '/diff /undo', look),
    ...(more > 0 ? [`${pen.glyphs.ellipsis} ${more} more`] : []),
    ...rows,
    '',
  ]
}
