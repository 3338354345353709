import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { claim, ended, evidence, finished, lines, reported, studyOf, task } from '../../../support/study.ts'

it('reports how the study went', () => {
  expect(documentOf(reported())).toMatchObject({
    status: 'partial',
    reason: 'gaps',
    exit: 3,
    coverage: 0.75,
    citation_accuracy: 1,
    aggregator_failed: null,
    uncited: 0,
    evidence: { all: 3, unique: 2 },
    contradictions: [['C1.1', 'C1.2']],
    gaps: [{ task: 't2', gap: 'recovery order' }],
    repaid_steps: 0,
    duplicate_claims: 0,
  })
})

it('contains the position of every claim and the result of its check', () => {
  const [first, second] = documentOf(reported()).claims
  expect(first).toMatchObject({
    id: 'C1.1',
    source: 1,
    place: 'docs/lock.md:2',
    verified: true,
    reason: null,
  })
  expect(second).toMatchObject({ source: 2, place: 'docs/old.md:9', source_changed: true })
})

it('adds the claims that the aggregator left out', () => {
  const markdown = '## Answer\n\nIt is so [C1.1].\n\n## Findings\n\n- first [C1.1]'
  const state = reported({}, [])
  state.report = { markdown, uncited: 0 }
  expect(documentOf(state).sections.findings).toBe(
    '- first [C1.1]\n\n### Further claims\n\n' +
      '- "The store takes its lock with O_EXCL within 30 seconds." [C1.2]\n- "After a crash the ' +
      'journal is replayed." [C2.1]',
  )
})

it('is the same for any order in which workers finish', () => {
  const [first, plan, ...rest] = finished()
  const one = foldStudy(lines([first, plan, ...rest] as never))
  const other = foldStudy(lines([first, plan, ...rest.slice(6), ...rest.slice(0, 6)] as never))
  const stable = (state: typeof one) => {
    const document = documentOf(state)
    return { ...document, wall_ms: 0, tasks: document.tasks.map((one) => ({ ...one, wall_ms: 0 })) }
  }
  // verdicts of both halves exist in either order
  expect(JSON.stringify(stable(other))).toBe(JSON.stringify(stable(one)))
})

it('counts duplicate payments and records', () => {
  const paid = (n: number) =>
    makeStudyEntry('step', {
      task: 't1',
      n,
      request: 'same',
      mail: [],
      notes: [],
      reply: { text: '', calls: [], end: 'stop' },
      usage: { input: 10, output: 5, usd: null },
      ms: 1,
    })
  const state = studyOf([
    makeStudyEntry('plan', { of: 'rules', tasks: [task(1, 'a')], dropped: [], notices: [] }),
    paid(1),
    paid(2),
    makeStudyEntry('evidence', evidence('E1.1', 'text that is long')),
    makeStudyEntry('claim', claim('C1.1', 'text that is long')),
    makeStudyEntry('claim', claim('C1.2', 'text that is long', { evidence: 'E1.1' })),
  ])
  expect(documentOf(state)).toMatchObject({
    repaid_steps: 1,
    duplicate_claims: 1,
    tokens: 30,
    usd: null,
    steps: 2,
    citation_accuracy: 0,
  })
})

it.each([
  { perRound: [1, 1], duplicates: 0 },
  { perRound: [3, 1], duplicates: 2 },
  { perRound: [1, 3], duplicates: 2 },
  { perRound: [2, 1, 4], duplicates: 4 },
])('counts $duplicates duplicate claims over all questions for $perRound equal ones', (row) => {
  const { perRound, duplicates } = row
  const text = 'text that is long'
  const state = studyOf([
    makeStudyEntry('plan', { of: 'rules', tasks: [task(1, 'a')], dropped: [], notices: [] }),
    ...perRound.flatMap((count, n) => [
      ...(n === 0
        ? []
        : [
            makeStudyEntry('ask', { n, question: `and ${n}?` }),
            makeStudyEntry('task.added', { task: task(n + 1, 'b'), why: 'ask', ask: n }),
          ]),
      makeStudyEntry('evidence', evidence(`E${n + 1}.1`, text)),
      ...Array.from({ length: count }, (_, i) =>
        makeStudyEntry('claim', claim(`C${n + 1}.${i + 1}`, text, { evidence: `E${n + 1}.1` })),
      ),
    ]),
  ])
  const rounds = [undefined, ...perRound.keys()]
  expect(rounds.map((round) => documentOf(state, round).duplicate_claims)).toEqual(
    rounds.map(() => duplicates),
  )
})

it('has no answer without claims, and keeps every reason', () => {
  const state = studyOf([
    makeStudyEntry('plan', {
      of: 'model',
      tasks: [task(1, 'a'), task(2, 'b')],
      dropped: [{ objective: 'c', reason: 'cap' }],
      notSplit: 'one part',
      notices: [],
    }),
    makeStudyEntry('task.ended', {
      task: 't1',
      result: ended('failed', { reason: 'model_unreachable', detail: 'refused' }),
    }),
    makeStudyEntry('task.not_run', { task: 't2', reason: 'budget' }),
    makeStudyEntry('notice', { code: 'b', text: 'second' }),
    makeStudyEntry('notice', { code: 'a', text: 'first' }),
    makeStudyEntry('status', { status: 'failed', reason: 'model_unreachable' }),
  ])
  expect(documentOf(state)).toMatchObject({
    exit: 1,
    citation_accuracy: null,
    aggregator_failed: null,
    tasks: [
      { id: 't1', end: 'failed', reason: 'model_unreachable', detail: 'refused' },
      { id: 't2', end: 'not_run', reason: 'budget' },
    ],
    plan: { of: 'model', not_split: 'one part', dropped: [{ objective: 'c', reason: 'cap' }] },
    notices: [
      { code: 'a', text: 'first' },
      { code: 'b', text: 'second' },
    ],
  })
})

it('lists the models that replied if the first of a list failed', () => {
  const step = (n: number, model?: string) =>
    makeStudyEntry('step', {
      task: 't1',
      n,
      request: `r${n}`,
      mail: [],
      notes: [],
      reply: { text: '', calls: [], end: 'stop' },
      usage: { input: 10, output: 5, usd: null, ...(model && { model }) },
      ms: 1,
    })
  const plan = makeStudyEntry('plan', { of: 'rules', tasks: [task(1, 'a')], dropped: [], notices: [] })
  const model = { name: 'a/one,b/two', kind: 'llm' as const }
  const notices = (...steps: (string | undefined)[]) =>
    documentOf(studyOf([plan, ...steps.map((name, n) => step(n, name))], { model })).notices
  expect(notices('a/one', 'b/two', 'b/two')).toEqual([
    {
      code: 'model_switched',
      text: 'a/one could not serve all of it; by number of replies: a/one 1, b/two 2',
    },
  ])
  expect(notices('a/one', 'a/one')).toEqual([])
  expect(notices(undefined)).toEqual([])
})
