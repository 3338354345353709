// Pages, panes, status rows and boxes of the screen, drawn from hostile text.

import type { RenderLook } from '../../../../internal/render/pen.ts'
import type { BoardRun, ResearchBoard } from '../../../../internal/session/board/research-board.ts'
import type { BoardTask, StudyBoard } from '../../../../internal/session/board/study-board.ts'
import type { SessionView } from '../../../../internal/session/view/session-view.ts'
import {
  drawExperimentFrame,
  drawExperimentPane,
  drawExperimentRows,
  drawRun,
  drawRunDetails,
} from '../../../../internal/tui/board/experiment-lines.ts'
import {
  drawStudyFrame,
  drawStudyPane,
  drawStudyRows,
  drawTask,
  drawTaskClaims,
} from '../../../../internal/tui/board/study-lines.ts'
import { openChoiceDialog } from '../../../../internal/tui/dialog/choice-dialog.ts'
import { drawPane } from '../../../../internal/tui/full/pane.ts'
import { drawTranscript, openTranscript } from '../../../../internal/tui/inline/transcript-page.ts'
import { createListPage } from '../../../../internal/tui/page/list-page.ts'
import { createTextPage } from '../../../../internal/tui/page/text-page.ts'
import { drawThreadPage } from '../../../../internal/tui/page/thread-rows.ts'
import { findNext } from '../../../../internal/tui/page/transcript-search.ts'
import { breakLines } from '../../../../internal/tui/terminal/rows.ts'
import { boxCells } from '../../../../internal/tui/view/box.ts'
import { drawChoice, drawEntry } from '../../../../internal/tui/view/choice-box.ts'
import { narrowLook, penOfLook } from '../../../../internal/tui/view/look-pen.ts'
import { listTrustFileLines } from '../../../../internal/tui/view/trust-lines.ts'
import { startedAt } from '../../../support/session-view.ts'
import { below, hostile, pick, type Rng } from '../../render/random.ts'

const rows = 24
const now = startedAt

function hostileTask(rng: Rng): BoardTask {
  const text = () => hostile(rng)
  const phase = pick(rng, ['waiting', 'running', 'done', 'short', 'failed'] as const)
  return {
    ...{ id: text(), objective: text(), phase, news: text(), owner: text(), attempts: 2, steps: 3 },
    ...{ claims: 1, started: now - 1e6, ended: null },
  }
}

function hostileStudy(rng: Rng): StudyBoard {
  const text = () => hostile(rng)
  const tasks = Array.from({ length: 8 }, () => hostileTask(rng))
  const task = tasks[0]?.id as string
  const mail = { from: task, to: text(), type: text(), body: text() }
  const claim = { id: text(), task, text: text(), quote: text(), place: text(), evidence: text() }
  return {
    ...{ id: text(), question: text(), status: text(), outcome: text(), reason: text(), engine: text() },
    ...{
      abandoned: false,
      isOver: false,
      created: now - 1e7,
      updated: now,
      deadline: now + 1e7,
      model: text(),
    },
    ...{ workers: 3, tasks, evidence: 1e6, coverage: 0.5, citation_accuracy: 0.5, messages: 1, mail: [mail] },
    ...{ tokens: 1e9, max_tokens: 2e9, usd: null, last_message: mail, gaps: [{ task, gap: text() }] },
    claims: [{ ...claim, state: 'not_found', verified: false, reason: text() }],
    notices: [{ code: text(), text: text() }],
  }
}

function hostileResearch(rng: Rng): ResearchBoard {
  const text = () => hostile(rng)
  const run = (number: number): BoardRun => ({
    ...{ run: number, status: text(), reason: text(), description: text(), detail: text() },
    ...{ metric: rng() * 1e9, range: [1, 2], pct: -6.2, ci: [-8.1, -4], unit: null, timestamp: text() },
  })
  return {
    ...{ id: text(), name: text(), objective: text(), metric: text(), unit: text(), direction: 'lower' },
    ...{ gate: text(), segment: 1, command: text(), counts: { keep: 3 }, max_runs: 9, stopped: true },
    ...{
      baseline: { value: 1e9, floor_pct: 3 },
      best: 2,
      runs: [1, 2, 3, 4].map(run),
      tokens: 1e9,
      usd: null,
    },
    final: { pct: 1, ci: [0, 2], unit: null, gain: true, run: 3 },
    pending: [{ run: 5, state: text(), alive: rng() < 0.5, started: '2026-01-01T00:00:00Z' }],
    warnings: [text()],
  }
}

function drawBoards(rng: Rng, look: RenderLook): string[] {
  const study = hostileStudy(rng)
  const research = hostileResearch(rng)
  const inStudy = drawStudyFrame(study, now, look)
  const inResearch = drawExperimentFrame(research, now, look)
  return [
    ...[...drawStudyPane(study, now, look), ...drawStudyRows(study, now, look)],
    ...[...inStudy.head, ...inStudy.tail, ...study.tasks.map((task) => drawTask(task, now, look))],
    ...drawTaskClaims(study, study.tasks[0]?.id as string, look),
    ...[...drawExperimentPane(research, now, look), ...drawExperimentRows(research, now, look)],
    ...[...inResearch.head, ...inResearch.tail, ...drawRunDetails(research, 2, look)],
    ...research.runs.map((run) => drawRun(run, research.unit, look)),
  ]
}

/** Draws the panes. A pane follows an edge of two cells, and is at least 40 cells wide. */
function drawPanes(view: SessionView, rng: Rng, look: RenderLook): string[] {
  const [study, research] = [hostileStudy(rng), hostileResearch(rng)]
  const boards = {
    isEmpty: () => false,
    drawPane: (at: number, given: RenderLook) => [
      ...drawStudyPane(study, at, given),
      ...drawExperimentPane(research, at, given),
    ],
  }
  if (look.width < 40) return []
  const children = new Map(view.children.map(({ thread }) => [thread, { view }]))
  return drawPane({ view, children, boards }, now, narrowLook(look, 2), 100)
}

function drawThreads(view: SessionView, rng: Rng, look: RenderLook): string[] {
  const text = () => hostile(rng, 40)
  const summary = () => ({
    ...{ thread: text(), title: rng() < 0.3 ? '' : text(), profile: text(), model: text(), updated: 0 },
    ...{ events: 1e6, snippet: text() },
  })
  const threads = below(rng, 5) === 0 ? [] : [summary(), summary(), summary()]
  const state = {
    threads,
    at: below(rng, 3),
    query: `${pick(rng, ['', '/'])}${text()}`,
    isArmed: rng() < 0.5,
  }
  const more = { rename: rng() < 0.5 ? text() : undefined, note: rng() < 0.5 ? text() : '' }
  return drawThreadPage({ ...state, ...more, preview: { blocks: view.blocks, usd: null } }, look, rows, now)
}

/** Draws the transcript while the search text is typed, found, and not found. */
function drawTranscripts(view: SessionView, rng: Rng, look: RenderLook): string[] {
  const page = openTranscript({ view, before: '3 earlier' }, look, rows, now)
  const words = hostile(rng, 60)
    .replace(/[^\p{L}\p{So}]/gu, '')
    .repeat(6)
  const searched = { ...page, search: { text: words, isOpen: true } }
  const found = { ...page, search: { text: pick(rng, ['漢', 'o', 'r', '…']), isOpen: false } }
  const missed = findNext({ ...page, search: { text: words, isOpen: false } }, 1, rows)
  return [page, searched, missed, findNext(found, 1, rows)].flatMap((one) => drawTranscript(one, look, rows))
}

function drawBoxes(rng: Rng, look: RenderLook): string[] {
  const text = () => hostile(rng, 40)
  const pen = penOfLook(narrowLook(look, boxCells))
  const lines = listTrustFileLines({ path: text(), effects: [text()], text: `${text()}\n${text()}` })
  const layout = { rows: breakLines(lines, pen.look.width, pen), height: 5 }
  const answers = [
    { key: 'y', label: 'an answer of some words' },
    { key: 'n', label: 'another' },
  ]
  const entry = { title: text(), lines: [text()], text: text() }
  return [
    ...drawChoice(openChoiceDialog(text(), layout, answers), look),
    ...[...drawEntry({ ...entry, isSecret: true }, look), ...drawEntry({ ...entry, isSecret: false }, look)],
  ]
}

export function drawHostilePages(view: SessionView, rng: Rng, look: RenderLook): string[] {
  const board = hostileStudy(rng)
  const list = createListPage({
    read: (given) => ({
      ...drawStudyFrame(board, now, given),
      entries: board.tasks.map((task) => ({ id: task.id, lines: [drawTask(task, now, given)] })),
      none: 'none',
    }),
    keys: {},
    help: () => '漢字  かな'.repeat(20),
  })
  const claims = createTextPage((given) => drawTaskClaims(board, board.tasks[0]?.id as string, given))
  return [
    ...[...drawBoards(rng, look), ...drawPanes(view, rng, look), ...drawThreads(view, rng, look)],
    ...[...drawTranscripts(view, rng, look), ...drawBoxes(rng, look)],
    ...[...list.draw(look, rows, now), ...claims.draw(look, rows, now)],
  ]
}
