// Lines about a study for the pane, for the rows above the editor, and for the study's page. The
// functions are pure.
import { countNoun } from '../../base/text/count-noun.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type {
  BoardClaim,
  BoardMessage,
  BoardProgress,
  BoardSpending,
  BoardTask,
  StudyBoard,
} from '../../session/board/study-board.ts'
import { describeDoubt, describeTaskNews } from '../../session/board/study-words.ts'
import { formatDuration } from '../duration.ts'
import { costFacts } from '../run-view/run-end.ts'
import { indentLines, margin, narrowLook, penOfLook, spreadLine } from '../view/look-pen.ts'
import { drawPartTitle } from '../view/part-title.ts'

/**
 * `paneTasks` is the largest number of tasks of a study in the pane; `rowTasks` is the largest number of
 * running tasks in the rows above the editor.
 */
const paneTasks = 6
const rowTasks = 2

const shortStudyId = (id: string) => sanitizeText(id).slice(0, 10)

export function drawStudyPane(board: StudyBoard, now: number, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const visibleTasks = pickTasks(board.tasks, paneTasks)
  const more = board.tasks.length - visibleTasks.length
  return [
    drawPartTitle(`STUDY ${shortStudyId(board.id)}`, '/study', look),
    ...visibleTasks.map((task) => drawTask(task, now, look)),
    ...(more > 0
      ? [pen.paint({ dim: true })(pen.clip(`  ${countNoun(more, 'more task')}`, look.width))]
      : []),
    pen.paint({ dim: true })(pen.clip(`  ${spendingWords(board)}`, look.width)),
    '',
  ]
}

/**
 * Returns one row for the study and one for each of its first two running tasks. Returns no rows for a study
 * that has ended or whose process has ended.
 */
export function drawStudyRows(board: StudyBoard, now: number, look: RenderLook): string[] {
  if (board.isOver || board.abandoned) return []
  const pen = penOfLook(narrowLook(look, margin))
  const done = board.tasks.filter(isEnded).length
  const count =
    board.tasks.length === 0
      ? sanitizeText(board.status)
      : `${done} of ${countNoun(board.tasks.length, 'task')}`
  const facts = [count, countNoun(board.claims.length, 'claim'), formatDuration(now - board.created)].join(
    '  ',
  )
  const [mark, style] = markOf('running', look)
  const room = pen.look.width - pen.cells(mark) - 1
  const head = `study  ${shortStudyId(board.id)}  ${countNoun(board.workers, 'worker')}`
  const running = board.tasks.filter(({ phase }) => phase === 'running').slice(0, rowTasks)
  return indentLines([
    `${pen.paint(style)(mark)} ${spreadLine(head, facts, room, pen)}`,
    ...running.map((task) => `  ${drawTask(task, now, narrowLook(look, margin + 2))}`),
  ])
}

/** Returns the row of a task, with mark, id and objective at the left and the latest news at the right. */
export function drawTask(task: BoardTask, now: number, look: RenderLook): string {
  const pen = penOfLook(look)
  const [mark, style] = markOf(task.phase, look)
  const room = look.width - pen.cells(mark) - 1
  const news = pen.clip(
    sanitizeText(newsOf(task, now)),
    Math.floor(room * (task.phase === 'running' ? 0.7 : 0.55)),
  )
  const line = spreadLine(`${sanitizeText(task.id)} ${sanitizeText(task.objective)}`, news, room, pen)
  return `${pen.paint(style)(mark)} ${task.phase === 'waiting' ? pen.paint({ dim: true })(line) : line}`
}

function newsOf(task: BoardTask, now: number): string {
  const attempt = task.attempts > 1 ? [`attempt ${task.attempts}`] : []
  switch (task.phase) {
    case 'waiting':
      return 'waiting'
    case 'running':
      return [`step ${task.steps}`, task.news ?? 'begins', ...attempt].join('  ')
    default: {
      const took = task.started === null ? [] : [formatDuration((task.ended ?? now) - task.started)]
      const end = task.phase === 'done' ? countNoun(task.claims, 'claim') : describePhase(task)
      return [end, ...took].join('  ')
    }
  }
}

const describePhase = (task: BoardTask) => describeTaskNews(task) ?? task.phase

const isEnded = ({ phase }: BoardTask) => phase !== 'waiting' && phase !== 'running'

/**
 * Returns the tasks that have room, in the order of the plan. Running tasks are chosen first,
 * because they change.
 */
function pickTasks(tasks: readonly BoardTask[], room: number): readonly BoardTask[] {
  if (tasks.length <= room) return tasks
  const order = ['running', 'failed', 'waiting', 'short', 'done']
  const ranked = tasks.toSorted((a, b) => order.indexOf(a.phase) - order.indexOf(b.phase))
  const topTasks = new Set(ranked.slice(0, room))
  return tasks.filter((task) => topTasks.has(task))
}

const styles: Readonly<Record<BoardTask['phase'], TextStyle>> = {
  waiting: { dim: true },
  running: { color: 'cyan' },
  done: { color: 'green' },
  short: { color: 'yellow' },
  failed: { color: 'red' },
}

function markOf(phase: BoardTask['phase'], look: RenderLook): [string, TextStyle] {
  const { glyphs } = penOfLook(look)
  const marks = {
    waiting: look.unicode ? '○' : '[ ]',
    running: look.unicode ? '●' : '[>]',
    done: glyphs.status.success,
    short: glyphs.status.warning,
    failed: glyphs.status.error,
  }
  return [marks[phase], styles[phase]]
}

/**
 * Returns the spending of a study in words. The rule-based engine costs nothing, so its token counts would
 * only alarm the user and are omitted.
 */
function spendingWords(board: StudyBoard): string {
  const claimText = `${countNoun(board.claims.length, 'claim')}  evidence ${board.evidence}`
  return board.model.startsWith('builtin/') ? claimText : [...usageFacts(board), claimText].join('  ')
}

function usageFacts({ tokens, max_tokens: max, usd }: BoardSpending): string[] {
  const of = max === null ? '' : ` of ${max} (${max > 0 ? Math.round((tokens / max) * 100) : 100}%)`
  return [`tokens ${tokens}${of}`, ...costFacts(usd)]
}

const describeProgress = ({ status, abandoned, outcome }: BoardProgress): string =>
  `${status}: ${abandoned ? 'its process has ended; continue with anode study resume' : outcome}`

/** Returns the lines above and below the list of tasks on the page. */
export function drawStudyFrame(
  board: StudyBoard,
  now: number,
  look: RenderLook,
): { head: string[]; tail: string[] } {
  const pen = penOfLook(look)
  const dim = pen.paint({ dim: true })
  const wrap = (text: string) => pen.wrap(sanitizeText(text), look.width)
  const end = board.isOver ? board.updated : now
  const time = formatDuration(Math.max(0, end - board.created))
  const timeLeft = board.isOver ? '' : `, ${formatDuration(Math.max(0, board.deadline - now))} left`
  const accuracy =
    board.citation_accuracy === null ? [] : [`${Math.round(100 * board.citation_accuracy)}% of quotes found`]
  const mail = board.last_message
  return {
    head: [
      ...wrap(board.question).map(pen.paint({ bold: true })),
      ...wrap(
        `${shortStudyId(board.id)}  ${board.model}  ${countNoun(board.workers, 'worker')}  ${board.engine}`,
      ).map(dim),
      '',
    ],
    tail: [
      '',
      ...wrap([describeProgress(board), time + timeLeft, spendingWords(board), ...accuracy].join('  ')),
      ...(mail ? wrap(`message ${board.messages}: ${messageWords(mail)}`).map(dim) : []),
      ...board.notices.slice(-3).flatMap(({ text }) => wrap(`! ${text}`).map(pen.paint({ color: 'yellow' }))),
    ],
  }
}

/**
 * Returns lines with the claims of a task and their evidence, then the gaps and the mail of the task; an
 * empty list for an unknown task.
 */
export function drawTaskClaims(board: StudyBoard, id: string, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const task = board.tasks.find((one) => one.id === id)
  if (!task) return []
  const wrap = (text: string, room = 0) =>
    pen.wrap(sanitizeText(text, { keepLines: true }), look.width - room).map((row) => ' '.repeat(room) + row)
  const claims = board.claims.filter((claim) => claim.task === id)
  const gaps = board.gaps.filter((gap) => gap.task === id)
  const mail = board.mail.filter(({ from, to }) => from === id || to === id)
  return [
    ...wrap(`${task.id}  ${task.objective}`).map(pen.paint({ bold: true })),
    ...wrap(`${task.owner ?? 'not assigned yet'}  ${describePhase(task)}`).map(pen.paint({ dim: true })),
    ...claims.flatMap((claim) => ['', ...claimLines(claim, wrap)]),
    ...(claims.length === 0 ? ['', ...wrap('No claim yet.')] : []),
    ...gaps.flatMap(({ gap }) => ['', ...wrap(`not answered: ${gap}`)]),
    ...mail.flatMap((message) => ['', ...wrap(messageWords(message))]),
  ]
}

const messageWords = ({ from, to, type, body }: BoardMessage) => `${from} to ${to} (${type}) ${body}`

const verdictOf = ({ state, reason }: BoardClaim) =>
  ({
    verified: '+',
    quoted: '+ (in other words)',
    not_found: `- (${reason === null ? 'not verified' : describeDoubt(reason)})`,
    unchecked: '?',
  })[state ?? 'unchecked']

type WrapText = (text: string, room?: number) => string[]

/** Returns the lines of a claim. The quote is omitted if it equals the claim. */
const claimLines = (claim: BoardClaim, wrap: WrapText): string[] => [
  ...wrap(`${verdictOf(claim)} ${claim.text}`),
  ...(claim.quote.trim() === claim.text.trim() ? [] : wrap(`"${claim.quote}"`, 2)),
  ...wrap(claim.place ?? claim.evidence, 2),
]
