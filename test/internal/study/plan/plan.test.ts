// The source of a plan: a file, a model, or the rules if the model gives no valid plan.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AskPlanner, planFromFile, planStudy } from '../../../../internal/study/plan/plan.ts'
import { scratch } from '../../../support/scratch.ts'

const frame = { question: 'How are locks held, and what of crashes?', workers: 3, sources: ['repo'] as const }
const frequency = { lock: 3, crash: 1 }

/** Answers in order and records the notes that it gets. */
function saying(...texts: (string | { failed: string; quiet: boolean })[]) {
  const notes: (string | undefined)[] = []
  const ask: AskPlanner = async (note) => {
    notes.push(note)
    const next = texts.shift() ?? 'nothing'
    return typeof next === 'string' ? { text: next } : next
  }
  return { ask, notes }
}
const tasks = (...objectives: string[]) =>
  `Here it is: ${JSON.stringify({ tasks: objectives.map((objective) => ({ objective })) })}`

test('the plan of a model', async () => {
  const { ask, notes } = saying(tasks('locks', 'crashes'))
  const made = await planStudy(frame, { frequency, isByRules: false, ask })
  expect(made).toMatchObject({
    of: 'model',
    notices: [],
    tasks: [{ objective: 'locks' }, { objective: 'crashes' }],
  })
  expect(notes).toEqual([undefined])
})

test('the plan of a model keeps the sources and the output of each part, and links the parts', async () => {
  const parts = [
    { objective: 'locks', sources: ['web'], output: 'a table' },
    { objective: 'after that crashes', sources: ['repo'] },
    { objective: 'writers of the journal' },
    { objective: 'limits of memory', sources: ['web', 'repo'] },
  ]
  const { ask } = saying(JSON.stringify({ tasks: parts }))
  const both = { ...frame, workers: 4, sources: ['repo', 'web'] as const }
  const { tasks: planned } = await planStudy(both, { frequency, isByRules: false, ask })
  expect(planned).toMatchObject([
    { sources: ['web'], output: 'a table', dependsOn: [] },
    { sources: ['repo'], dependsOn: ['t1'] },
    { sources: ['repo', 'web'], dependsOn: [] },
    { sources: ['web', 'repo'], dependsOn: [] },
  ])
})

test('a model gets the error once; then the rules plan and report it', async () => {
  const better = saying('no idea', tasks('locks', 'crashes'))
  expect(await planStudy(frame, { frequency, isByRules: false, ask: better.ask })).toMatchObject({
    of: 'model',
  })
  expect(better.notes[1]).toContain('$')

  const bad = saying('no idea', '{"tasks": []}', tasks('too', 'late'))
  const made = await planStudy(frame, { frequency, isByRules: false, ask: bad.ask })
  expect(made).toMatchObject({ of: 'rules', notices: [expect.stringMatching(/^plan_fallback: \$\.tasks/)] })
  expect(made.tasks.map(({ objective }) => objective)).toEqual(['How are locks held', 'what of crashes'])
  expect(bad.notes).toHaveLength(2)
})

test('does not wait for a model that fails', async () => {
  const loud = saying({ failed: 'unreachable: nobody', quiet: false })
  expect((await planStudy(frame, { frequency, isByRules: false, ask: loud.ask })).notices).toEqual([
    'plan_fallback: unreachable: nobody',
  ])
  const quiet = saying({ failed: 'script_exhausted', quiet: true })
  expect((await planStudy(frame, { frequency, isByRules: false, ask: quiet.ask })).notices).toEqual([])
})

test.each([
  ['one worker', { ...frame, workers: 1 }, '--workers is 1'],
  ['a question in one piece', { ...frame, question: 'How are locks held?' }, 'the question has one part'],
  [
    'a question in one piece for one worker',
    { ...frame, question: 'How long is the deadline of a worker with a lease?', workers: 1 },
    'the question has one part',
  ],
])('%s needs no request', async (_, one, why) => {
  const { ask, notes } = saying()
  const made = await planStudy(one, { frequency, isByRules: false, ask })
  expect(made).toMatchObject({ of: 'rules', notSplit: why, tasks: [{ objective: one.question }] })
  expect(notes).toEqual([])
})

test('a plan for rules is the same for any number of workers and needs no request', async () => {
  const questions = {
    'How are locks held?': 'the question has one part',
    'How are locks held, and what of crashes?': 'one task covers all parts',
    'Who leads? After that, what does the worker do? Where is the journal?': 'one task covers all parts',
  }
  for (const [question, why] of Object.entries(questions)) {
    for (const workers of [1, 2, 4, 256]) {
      const { ask, notes } = saying(tasks('locks', 'crashes'))
      const made = await planStudy({ ...frame, question, workers }, { frequency, ask, isByRules: true })
      expect(made).toMatchObject({
        of: 'rules',
        notSplit: why,
        notices: [],
        tasks: [{ objective: question }],
      })
      expect(notes).toEqual([])
    }
  }
})

test.each([
  ['not there', undefined, 'plan file not found'],
  ['not JSON', '{"tasks": [', 'is not JSON'],
  ['a field that nobody reads', '{"tasks": [{"objective": "x", "wokers": 2}]}', 'tasks[0]'],
  [
    'a cycle',
    '{"tasks": [{"id": "t1", "objective": "x", "dependsOn": ["t2"]}, {"id": "t2", "objective": ' +
      '"y", "dependsOn": ["t1"]}]}',
    't1 -> t2 -> t1',
  ],
  [
    'more than 1,000 tasks',
    JSON.stringify({ tasks: Array.from({ length: 1001 }, () => ({ objective: 'x' })) }),
    '$.tasks: has 1,001 tasks; at most 1,000 are possible',
  ],
])('a plan file: %s', (_, text, message) => {
  const path = join(scratch(), 'plan.json')
  if (text !== undefined) writeFileSync(path, text)
  expect(() => planFromFile(path, frame)).toThrow(message)
})
