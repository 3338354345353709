// What happens in a study, entry by entry, the newest first.
import { h } from 'preact'
import type { StudyRecord } from '../../../session/board/study-board.ts'
import { revealText } from '../text/shown-text.ts'

const shownFields = [
  'task',
  'tool',
  'calls',
  'owner',
  'attempt',
  'why',
  'status',
  'reason',
  'id',
  'text',
  'code',
]

export function StudyLog({ records }: { records: readonly StudyRecord[] }) {
  if (records.length === 0) return null
  return h(
    'details',
    { class: 'card', open: true },
    h('summary', null, 'What happens'),
    h(
      'ol',
      { class: 'entries', reversed: true, start: records.at(-1)?.seq, tabIndex: 0, 'aria-label': 'Entries' },
      records.toReversed().map((record) => h('li', { key: record.seq }, revealText(describeRecord(record)))),
    ),
  )
}

function describeRecord(record: StudyRecord): string {
  const parts = shownFields.flatMap((name) => {
    const value = record[name]
    if (value === undefined || value === null || value === '' || typeof value === 'object') {
      return Array.isArray(value) && value.length > 0 ? [value.join(', ')] : []
    }
    return [name === 'attempt' ? `attempt ${value}` : String(value)]
  })
  const time = new Date(record.ts).toLocaleTimeString()
  return `${time} ${record.kind} ${parts.join(' · ')}`
}
