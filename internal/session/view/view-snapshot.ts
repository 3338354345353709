// Snapshots and views: what of a view follows from no stored event, taken out of one and put into another.
import type { SessionSnapshot } from '../snapshot.ts'
import { settleRun } from './fold-run.ts'
import type { SessionView } from './session-view.ts'

const noSpending = { input: 0, output: 0, cached: 0, usd: 0 }

/** The view of somebody who knows nothing yet. */
export function emptyView(thread: string): SessionView {
  return {
    thread,
    title: '',
    profile: '',
    model: { id: '', kind: 'language' },
    mode: 'ask',
    blocks: [],
    dropped: 0,
    openReply: undefined,
    run: undefined,
    announced: [],
    pos: 0,
    calls: [],
    waits: [],
    questions: [],
    queue: [],
    todo: [],
    children: [],
    jobs: [],
    starting: [],
    spending: noSpending,
    settled: noSpending,
    context: { tokens: 0 },
  }
}

export function takeSnapshot(view: SessionView): SessionSnapshot {
  const { blocks: _, dropped: __, pos: ___, announced: ____, run, openReply, ...rest } = view
  return { ...rest, run, openReply }
}

/** What the snapshot says holds; without a run only the calls that it names go on. */
export function applySnapshot(view: SessionView, snapshot: SessionSnapshot): SessionView {
  const { run, openReply, ...rest } = snapshot
  const blocks = view.blocks.map((block): SessionView['blocks'][number] => {
    if (block.kind !== 'call' || block.state === 'ended') return block
    const running = rest.calls.find(({ call }) => call === block.id)
    if (!running && !run) return { ...block, state: 'ended' }
    return running?.message === undefined ? block : { ...block, progress: running.message }
  })
  return { ...view, ...rest, blocks, run, openReply }
}

/** The view of a thread whose process is gone: nothing of it goes on. */
export function closeView(view: SessionView): SessionView {
  const ended = applySnapshot(settleRun(view), { ...takeSnapshot(settleRun(view)), calls: [], jobs: [] })
  return { ...ended, settled: ended.spending }
}
