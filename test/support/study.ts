// Studies made by hand: the entries of a log, folded as if a journal had kept them.
import { fingerprint } from '../../internal/base/fingerprint.ts'
import type { JournalLine, NewJournalLine } from '../../internal/store/journal/journal.ts'
import {
  type ClaimVerdict,
  makeStudyEntry,
  type StudyClaim,
  type StudyEvidence,
  type StudyHead,
  type StudyTask,
  type TaskResult,
} from '../../internal/study/log/entries.ts'
import { foldStudy, type StudyState } from '../../internal/study/log/state.ts'
import { composeReportByRule } from '../../internal/study/report/aggregation.ts'

const began = 1_700_000_000_000

export const head = (over: Partial<StudyHead> = {}): StudyHead => ({
  id: '01JD3K8QAAAAAAAAAAAAAAAAAA',
  question: 'How does the store lock files, and what happens on a crash?',
  project: '/project',
  root: '/project',
  corpus: 'c0ffee',
  model: { name: 'builtin/extract', kind: 'rules', note: 'deterministic extraction, not a language model' },
  engine: 'embedded',
  workers: 2,
  sources: ['repo'],
  seed: 1,
  maxSteps: 20,
  minCitation: 0.95,
  baseline: false,
  deadline: began + 1_200_000,
  budget: {},
  created: began,
  ...over,
})

export const task = (n: number, objective: string, over: Partial<StudyTask> = {}): StudyTask => ({
  id: `t${n}`,
  kind: 'work',
  objective,
  terms: objective.split(' '),
  sources: ['repo'],
  boundaries: '',
  output: '',
  stop: '',
  dependsOn: [],
  ...over,
})

export const ended = (end: TaskResult['end'], over: Partial<TaskResult> = {}): TaskResult => ({
  end,
  claims: [],
  gaps: [],
  spent: { tokens: 100, usd: 0, steps: 3, ms: 50 },
  ...over,
})

/** Evidence with the hash of its excerpt. */
export const evidence = (id: string, excerpt: string, over: Partial<StudyEvidence> = {}): StudyEvidence => ({
  id,
  task: `t${id.slice(1).split('.')[0]}`,
  tool: 'read',
  canonical: 'docs/a.md',
  locator: '1-3',
  excerpt,
  excerptSha256: fingerprint(excerpt),
  ...over,
})

/** A claim that quotes what it says, from the evidence with its own number. */
export const claim = (id: string, text: string, over: Partial<StudyClaim> = {}): StudyClaim => ({
  id,
  task: `t${id.slice(1).split('.')[0]}`,
  text,
  evidence: `E${id.slice(1)}`,
  quote: text,
  stance: 'supports',
  confidence: 1,
  ...over,
})

export const yes = (id: string, over: Partial<ClaimVerdict> = {}): ClaimVerdict => ({
  claim: id,
  verified: true,
  sourceChanged: false,
  ...over,
})

/** Numbers the entries and dates them a second apart. */
export function lines(entries: readonly NewJournalLine[]): JournalLine[] {
  return entries.map((line, i) => ({ ...line, seq: i + 1, ts: began + i * 1000 }))
}

/** Returns the state after these entries. The head is added first. */
export function studyOf(entries: readonly NewJournalLine[], over: Partial<StudyHead> = {}): StudyState {
  return foldStudy(lines([makeStudyEntry('study', head(over)), ...entries]))
}

/**
 * Returns two tasks, three claims of which two contradict each other, and one gap: everything that a
 * report can show.
 */
export function finished(over: Partial<StudyHead> = {}): NewJournalLine[] {
  const first = 'The store takes its lock with O_EXCL within 5 seconds.'
  const second = 'The store takes its lock with O_EXCL within 30 seconds.'
  const third = 'After a crash the journal is replayed.'
  return [
    makeStudyEntry('study', head(over)),
    makeStudyEntry('plan', {
      of: 'rules',
      tasks: [task(1, 'lock files'), task(2, 'crash')],
      dropped: [],
      notices: [],
    }),
    makeStudyEntry('status', { status: 'running', pid: 4711, host: 'here' }),
    makeStudyEntry('task.started', {
      task: 't1',
      epoch: 1,
      owner: 'w1',
      attempt: 1,
      pid: 4712,
      host: 'here',
    }),
    makeStudyEntry('evidence', evidence('E1.1', `intro\n${first}\noutro`, { canonical: 'docs/lock.md' })),
    makeStudyEntry('claim', claim('C1.1', first)),
    makeStudyEntry('evidence', evidence('E1.2', `${second}\n`, { canonical: 'docs/old.md', locator: '9' })),
    makeStudyEntry('claim', claim('C1.2', second)),
    makeStudyEntry('task.ended', { task: 't1', result: ended('done', { claims: ['C1.1', 'C1.2'] }) }),
    makeStudyEntry('task.started', {
      task: 't2',
      epoch: 1,
      owner: 'w2',
      attempt: 1,
      pid: 4713,
      host: 'here',
    }),
    makeStudyEntry(
      'evidence',
      evidence('E2.1', `intro\n${third}\n`, { canonical: 'docs/lock.md', locator: '1-3' }),
    ),
    makeStudyEntry('claim', claim('C2.1', third)),
    makeStudyEntry('task.ended', {
      task: 't2',
      result: ended('partial', {
        reason: 'no_evidence_for_part',
        claims: ['C2.1'],
        gaps: ['recovery order'],
      }),
    }),
    makeStudyEntry('verdict', yes('C1.1')),
    makeStudyEntry('verdict', yes('C1.2', { sourceChanged: true })),
    makeStudyEntry('verdict', yes('C2.1')),
  ]
}

/** Returns the same study at its end, with its report. */
export function reported(over: Partial<StudyHead> = {}, more: readonly NewJournalLine[] = []): StudyState {
  const entries = finished(over)
  const report = composeReportByRule(foldStudy(lines(entries)), 'no loop')
  const { failed: _, ...written } = report
  return foldStudy(
    lines([
      ...entries,
      makeStudyEntry('report', written, 'report'),
      ...more,
      makeStudyEntry('status', { status: 'partial', reason: 'gaps' }),
    ]),
  )
}

/** Returns a study in which every foreign text contains markup or control sequences. */
export function hostile(): StudyState {
  const bad =
    '<script>alert(1)</script> ![x](http://evil.example/p.png) [go](javascript:alert(1)) \x1b]0;t\x07\x1b[31m\u202ered | `a` & "q"'
  const entries = finished({ question: `Is ${bad} so?` }).map((line) =>
    line.kind === 'plan' ? { ...line, data: { ...line.data, tasks: [task(1, bad), task(2, bad)] } } : line,
  )
  return foldStudy(
    lines([
      ...entries,
      makeStudyEntry('evidence', evidence('E2.2', bad, { canonical: `${bad}.md` })),
      makeStudyEntry('claim', claim('C2.2', bad)),
      makeStudyEntry('notice', { code: 'bad', text: bad }),
      makeStudyEntry('status', { status: 'partial', reason: bad }),
    ]),
  )
}
