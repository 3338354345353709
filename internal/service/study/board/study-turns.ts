// What the log of a study tells beyond its state: who worked on which task when, and what was said to whom.
import type { StudyMessage, WorkerTurn } from '../../../server/study-detail.ts'
import type { JournalLine } from '../../../store/journal/journal.ts'
import { toStudyEntry } from '../../../study/log/entries.ts'

const maxMessages = 50

/** By task, in the order in which they began. */
export function listTurns(lines: readonly JournalLine[]): ReadonlyMap<string, WorkerTurn[]> {
  const turns = new Map<string, WorkerTurn[]>()
  for (const { kind, data, ts } of lines.map(toStudyEntry)) {
    if (kind === 'task.started') {
      const { task, owner, attempt } = data
      const own = turns.get(task) ?? []
      const before = own.at(-1)
      // a lease that was given back leaves no entry of its own
      if (before?.ended === null) Object.assign(before, { ended: ts, lost: 'another worker went on' })
      turns.set(task, [...own, { owner, attempt, started: ts, ended: null, lost: null }])
    }
    const last = 'task' in data && typeof data.task === 'string' ? turns.get(data.task)?.at(-1) : undefined
    if (last?.ended !== null) continue
    if (kind === 'task.ended') last.ended = ts
    if (kind === 'task.lost') Object.assign(last, { ended: ts, lost: data.why })
  }
  return turns
}

/** Each message once, newest first. */
export function listMessages(lines: readonly JournalLine[]): StudyMessage[] {
  const found = new Map<string, StudyMessage>()
  for (const { kind, data } of lines.map(toStudyEntry)) {
    if (kind !== 'step') continue
    for (const { id, from, type, body } of data.mail)
      found.set(`${id} ${data.task}`, { from, to: data.task, type, body })
  }
  return [...found.values()].slice(-maxMessages).reverse()
}
