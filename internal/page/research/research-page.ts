// Page of one experiment session: measurements with intervals, the line of the best value, verdicts,
// drift and ideas.
import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ResearchBoard, ResearchRecord } from '../../session/board/research-board.ts'
import { useBoardFeed } from '../connection/use-board-feed.ts'
import { useOrder } from '../connection/use-order.ts'
import type { PageScopes } from '../page-scopes.ts'
import { ConfirmButton } from '../part/confirm-button.ts'
import { MarkdownText } from '../text/markdown-text.ts'
import { revealText } from '../text/shown-text.ts'
import { ResearchSide } from './research-side.ts'
import { RunChart } from './run-chart.ts'
import { RunTable } from './run-table.ts'

export function ResearchPage({ id, scopes }: { id: string; scopes: PageScopes }) {
  const path = `/v1/research/${encodeURIComponent(id)}`
  const { board, stored, broken, problem, look } = useBoardFeed<ResearchBoard, ResearchRecord>(path)
  const { order, refused } = useOrder()
  const name = board?.name ?? id
  useEffect(() => {
    document.title = `${revealText(name)} · Anode`
  }, [name])
  const control = async (wish: 'go' | 'pause' | 'stop') => {
    await order(`${path}/${wish}`)
    look()
  }
  return h(
    'div',
    { class: 'run-page', 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h(
        'div',
        { class: 'head' },
        h('h1', null, revealText(name)),
        board?.loop && scopes.includes('act') && h(LoopControls, { loop: board.loop, control }),
        h(
          'p',
          { role: 'status', class: 'quiet' },
          broken ?? (board ? describeState(board) : 'Asking the server…'),
        ),
      ),
      h('p', { role: 'alert', class: 'problem' }, problem ?? refused),
      board && [
        board.objective !== '' && h('p', { class: 'objective' }, revealText(board.objective)),
        board.warnings.map((text) => h('p', { class: 'notice warning' }, drawWarning(text))),
        h(RunChart, { board }),
        h(RunTable, { board }),
        board.ideas != null && [
          h('h2', null, 'Ideas'),
          h('div', { class: 'card ideas' }, h(MarkdownText, { text: board.ideas })),
        ],
      ],
    ),
    board && h(ResearchSide, { board }),
  )
}

/** Shows a warning. Commands in it are between backticks. */
const drawWarning = (text: string) =>
  text.split('`').map((part, i) => (i % 2 === 0 ? revealText(part) : h('code', null, revealText(part))))

interface ControlProps {
  loop: NonNullable<ResearchBoard['loop']>
  control(wish: 'go' | 'pause' | 'stop'): Promise<void>
}

function LoopControls({ loop: { isPaused }, control }: ControlProps) {
  const change = () => void control(isPaused ? 'go' : 'pause')
  return h(
    'div',
    { class: 'answers' },
    h('button', { type: 'button', onClick: change }, isPaused ? 'Resume' : 'Pause'),
    h(ConfirmButton, { label: 'Stop', sure: 'Stop the loop now', act: () => void control('stop') }),
  )
}

function describeState({ counts, max_runs: max, stopped, pending, loop }: ResearchBoard): string {
  const total = `${counts['total'] ?? 0}${max > 0 ? ` of ${max}` : ''} runs, ${counts['keep'] ?? 0} kept`
  const open = pending.filter(({ alive }) => alive).map(({ run, state }) => `run ${run} ${state}`)
  const loops = loop == null ? [] : [loop.isPaused ? 'paused after this run' : 'the loop is running']
  return [total, ...(stopped ? ['all are used'] : [...open, ...loops])].join(', ')
}
