// Panel next to a study with its limits and progress, its mail between agents, the files that were read,
// and its gaps.
import { h } from 'preact'
import type { BoardSpending, StudyBoard } from '../../session/board/study-board.ts'
import { describeNotice } from '../../session/board/study-words.ts'
import { FactList, type ShownFact } from '../part/fact-list.ts'
import { shortModel } from '../runs/run-names.ts'
import { formatCount, formatDuration, formatMoney, formatPercent } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

export function StudySide({ board }: { board: StudyBoard }) {
  const { gaps, notices, mailbox = [], read = [] } = board
  return h(
    'aside',
    { 'aria-label': 'About this study' },
    h(FactList, { facts: readFacts(board) }),
    gaps.length > 0 &&
      h(SideList, { title: 'Not found', lines: gaps.map(({ task, gap }) => [task, gap] as const) }),
    notices.length > 0 &&
      h(SideList, {
        title: 'Notes',
        lines: notices.map(({ code, text }) => [describeNotice(code), text] as const),
      }),
    mailbox.length > 0 &&
      h(SideList, {
        title: 'Messages between agents',
        lines: mailbox.map(({ from, to, type, body }) => [`${from} to ${to}, ${type}`, body] as const),
      }),
    read.length > 0 &&
      h(SideList, {
        title: `Passages read, ${board.evidence}`,
        lines: read.map(({ id, source, locator, tool }) => [id, `${source}:${locator} (${tool})`] as const),
      }),
  )
}

function SideList({ title, lines }: { title: string; lines: readonly (readonly [string, string])[] }) {
  const rows = lines.map(([name, text]) =>
    h('li', null, h('b', null, revealText(name)), ' ', h('span', null, revealText(text))),
  )
  return [h('h2', null, title), h('ul', { class: 'side-list', tabIndex: 0, 'aria-label': title }, rows)]
}

function readFacts(board: StudyBoard): ShownFact[] {
  const { citation_accuracy: cited, created, deadline, isOver, coverage } = board
  const took = (isOver ? board.updated : Date.now()) - created
  const allowed = deadline - created
  return [
    { name: 'model', value: shortModel(board.model) },
    { name: 'engine', value: board.engine },
    { name: 'workers', value: String(board.workers) },
    { name: 'coverage', value: formatPercent(coverage), share: coverage },
    {
      name: 'quotes',
      value: cited === null ? 'not checked yet' : `${formatPercent(cited)} found`,
      share: cited ?? undefined,
    },
    tokenFact(board),
    {
      name: 'time',
      value: `${formatDuration(took)} of ${formatDuration(allowed)}`,
      share: took / allowed,
      isLimit: true,
    },
    { name: 'cost', value: formatMoney(board.usd) },
    { name: 'messages', value: String(board.messages) },
  ]
}

function tokenFact({ tokens, max_tokens: max }: BoardSpending): ShownFact {
  const budget = max ? ` of ${formatCount(max)}` : ''
  return {
    name: 'tokens',
    value: `${formatCount(tokens)}${budget}`,
    share: max ? tokens / max : undefined,
    isLimit: true,
  }
}
