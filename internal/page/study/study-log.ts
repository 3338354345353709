// List of a study's events, latest first.
import { h } from 'preact'
import type { StudyRecord } from '../../session/board/study-board.ts'
import { describeDoubt, describeNotice, describeStudyReason } from '../../session/board/study-words.ts'
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
    { class: 'card log', open: true },
    h('summary', null, 'What happens'),
    h(
      'ol',
      { class: 'entries', reversed: true, start: records.at(-1)?.seq, tabIndex: 0, 'aria-label': 'Entries' },
      records.toReversed().flatMap((record) => {
        const parts = describeRecord(record)
        // A record without any field to show is left out.
        return parts === '' ? [] : [h('li', { key: record.seq }, drawRecord(record, parts))]
      }),
    ),
  )
}

function describeRecord(record: StudyRecord): string {
  const parts = shownFields.flatMap((name) => {
    const value = record[name]
    if (value === undefined || value === null || value === '' || typeof value === 'object')
      return Array.isArray(value) && value.length > 0 ? [value.join(', ')] : []
    return [shortenValue(describeField(record.kind, name, String(value)))]
  })
  return parts.join(' · ')
}

function describeField(kind: string, name: string, value: string): string {
  if (name === 'attempt') return `attempt ${value}`
  if (name === 'code') return describeNotice(value)
  if (name !== 'reason' && name !== 'why') return value
  return kind === 'verdict' ? describeDoubt(value) : describeStudyReason(value)
}

/**
 * Largest number of characters that are shown of a value other than a list; the whole text of a claim is
 * in its card.
 */
const maxValueChars = 160

const shortenValue = (text: string) =>
  text.length > maxValueChars ? `${text.slice(0, maxValueChars - 1)}…` : text

function drawRecord(record: StudyRecord, parts: string) {
  return [
    h('time', null, new Date(record.ts).toLocaleTimeString()),
    h('b', null, revealText(record.kind.replace(/[._]/g, ' '))),
    h('span', null, revealText(parts)),
  ]
}
