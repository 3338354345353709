// News about a worker for its user, such as started and ended tasks, from the journal lines that
// the worker writes.
import type { Journal, NewJournalLine } from '../../store/journal/journal.ts'
import type { StudyEntries } from '../../study/log/entries.ts'

export type WorkerNews =
  | { event: 'ready'; label: string; engine: string; corpus: string; files?: number; commit?: string }
  | { event: 'started'; study: string; task: string; attempt: number }
  | { event: 'ended'; study: string; task: string; end: string; reason?: string; claims: number; ms: number }
  | { event: 'returned'; study: string; task: string; why: string }
  | { event: 'note'; about: 'server' | 'queue'; text: string }

/** Returns the journal, which also calls `tell` with each task that starts, ends or returns to the queue. */
export function reportWorkerNews(journal: Journal, tell: (news: WorkerNews) => void): Journal {
  return {
    ...journal,
    async append(study, batch, fence, settled) {
      const done = await journal.append(study, batch, fence, settled)
      if (done.state !== 'ok') return done
      for (const line of batch) {
        // an entry about a task that an earlier worker lost is not news about this worker
        const isOwn = line.kind !== 'task.lost' || line.data['epoch'] === fence?.epoch
        const news = isOwn ? newsOf(study, line) : undefined
        if (news) tell(news)
      }
      return done
    },
  }
}

function newsOf(study: string, { kind, data }: NewJournalLine): WorkerNews | undefined {
  switch (kind) {
    case 'task.started': {
      const { task, attempt } = data as unknown as StudyEntries['task.started']
      return { event: 'started', study, task, attempt }
    }
    case 'task.ended': {
      const { task, result } = data as StudyEntries['task.ended']
      const { end, reason, claims, spent } = result
      const why = reason === undefined ? {} : { reason }
      return { event: 'ended', study, task, end, ...why, claims: claims.length, ms: spent.ms }
    }
    case 'task.lost': {
      const { task, why } = data as StudyEntries['task.lost']
      return { event: 'returned', study, task, why }
    }
    default:
      return undefined
  }
}
