// The pages of a study and of experiments. They update while they are open.
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { ResearchBoard } from '../../session/board/research-board.ts'
import type { StudyBoard } from '../../session/board/study-board.ts'
import type { SessionClient, SessionService } from '../../session/client.ts'
import { createListPage, type ListContent } from '../page/list-page.ts'
import { openPage, type PageHost } from '../page/live-page.ts'
import { createTextPage } from '../page/text-page.ts'
import { penOfLook } from '../view/look-pen.ts'
import { createReader } from './board-follower.ts'
import { drawExperimentFrame, drawRun, drawRunDetails } from './experiment-lines.ts'
import { drawStudyFrame, drawTask, drawTaskClaims } from './study-lines.ts'

/** The screen that shows the page. */
interface BoardHost extends PageHost {
  readonly conversation: { readonly client: SessionClient }
  readonly screen: PageHost['screen'] & { readonly service: SessionService }
  readonly display: { readonly look: RenderLook }
}

/** Time in milliseconds within which the user must press a key again to confirm. */
const armedMs = 2_000

/** Opens the page that shows the latest study of this workspace. */
export function openStudyPage(host: BoardHost): void {
  let board: StudyBoard | undefined
  let armedUntil = 0
  const reader = createReader(host.conversation.client, (event) => {
    if (event.type === 'study.board') board = event.payload
    host.screen.changed()
  })
  const cancel = () => {
    if (!board || board.isOver) return
    if (armedUntil < Date.now()) armedUntil = Date.now() + armedMs
    else {
      armedUntil = 0
      void host.screen.service
        .runVerb?.(['study', 'cancel', board.id], buildSilentOptions(host))
        .catch(() => undefined)
    }
  }
  reader.start({ kind: 'study', since: 0 })
  const page = createListPage({
    read: (look, now) => readStudy(board, armedUntil > now, look, now),
    keys: {
      enter: (id) => {
        if (id !== undefined)
          openPage(
            host,
            createTextPage((look) => (board ? drawTaskClaims(board, id, look) : [])),
          )
      },
      r: () => board && openReportPage(host, board.id),
      k: cancel,
    },
    help: () =>
      board?.isOver === false
        ? 'Enter claims and mail of a task   r report   k cancels the study   Esc back'
        : 'Enter claims and mail of a task   r report   Esc back',
    close: () => reader.stop(),
  })
  openPage(host, page)
}

function readStudy(
  board: StudyBoard | undefined,
  isArmed: boolean,
  look: RenderLook,
  now: number,
): ListContent {
  if (!board)
    return {
      head: [],
      entries: [],
      tail: [],
      none: 'No study in this workspace yet. Start one with /study QUESTION.',
    }
  const { head, tail } = drawStudyFrame(board, now, look)
  const warning = penOfLook(look).paint({ color: 'yellow', bold: true })('Press k again to cancel the study')
  return {
    head,
    entries: board.tasks.map((task) => ({ id: task.id, lines: [drawTask(task, now, look)] })),
    tail: isArmed ? [...tail, warning] : tail,
    none: 'Planning the tasks.',
  }
}

const buildSilentOptions = ({ display: { look } }: BoardHost, signal = new AbortController().signal) => ({
  columns: Math.max(20, look.width - 2),
  signal,
  output: () => undefined,
})

/** Opens a page with the report of a study, as the command `study` prints it. */
function openReportPage(host: BoardHost, id: string): void {
  const stop = new AbortController()
  let text = ''
  let isRead = false
  const output = (part: string, stream: 'stdout' | 'stderr') => {
    if (stream === 'stdout') text += part
  }
  const done = () => {
    isRead = true
    host.screen.changed(true)
  }
  const run = host.screen.service.runVerb?.(['study', 'report', id], {
    ...buildSilentOptions(host, stop.signal),
    output,
  })
  void (run ?? Promise.resolve()).then(done, done)
  let drawn: { text: string; look: RenderLook; lines: string[] } | undefined
  const page = createTextPage((look) => {
    if (text === '') return [isRead ? 'No report yet.' : 'Reading the report.']
    // The layout of a long report takes longer than a reaction to a key may take, so it is done once.
    if (drawn?.text !== text || drawn.look !== look) drawn = { text, look, lines: drawMarkdown(text, look) }
    return drawn.lines
  })
  openPage(host, { ...page, close: () => stop.abort(new Error('the page was closed')) })
}

/** Opens the page of the experiments in this workspace. */
export function openExperimentPage(host: BoardHost): void {
  let board: ResearchBoard | undefined
  const reader = createReader(host.conversation.client, (event) => {
    if (event.type === 'experiment.board') board = event.payload
    host.screen.changed()
  })
  reader.start({ kind: 'experiment' })
  const page = createListPage({
    read: (look, now) => readExperiments(board, look, now),
    keys: {
      enter: (id) => {
        if (id !== undefined)
          openPage(
            host,
            createTextPage((look) => (board ? drawRunDetails(board, Number(id), look) : [])),
          )
      },
    },
    help: () => 'Enter run details   Esc back',
    close: () => reader.stop(),
  })
  openPage(host, page)
}

function readExperiments(board: ResearchBoard | undefined, look: RenderLook, now: number): ListContent {
  if (!board) {
    const none = 'No experiments in this workspace yet. Start with /research init.'
    return { head: [], entries: [], tail: [], none }
  }
  return {
    ...drawExperimentFrame(board, now, look),
    // The runs are listed newest first, because users look for the newest run.
    entries: board.runs
      .toReversed()
      .map((run) => ({ id: String(run.run), lines: [drawRun(run, board.unit, look)] })),
    none: 'No run is logged yet.',
  }
}
