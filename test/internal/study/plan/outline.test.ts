// Plans as data: rejected, merged and capped plans, and questions that are not split.
import { describe, expect, test } from 'vitest'
import {
  arrangeParts,
  chainParts,
  planAsWritten,
  readOutline,
} from '../../../../internal/study/plan/outline.ts'

const frame = { question: 'How are locks held, and what of crashes?', workers: 3, sources: ['repo'] as const }
const parts = (value: unknown) => {
  const read = readOutline(value, ['repo'], 'model')
  if (!read.ok) throw new Error(read.errors.join())
  return read.parts
}
const tasks = (...list: object[]) => ({ tasks: list })

describe('reading', () => {
  test.each([
    ['no tasks', { tasks: [] }, '$.tasks'],
    ['no list', { tasks: 'all' }, '$.tasks'],
    ['a task without objective', tasks({ id: 'a' }), '$.tasks[0].objective'],
    [
      'an id twice',
      tasks({ id: 'a', objective: 'x' }, { id: 'a', objective: 'y' }),
      '$.tasks[1].id: a is there twice',
    ],
    [
      'an unknown dependency',
      tasks({ objective: 'x', dependsOn: ['z'] }),
      '$.tasks[0].dependsOn: unknown task z',
    ],
    [
      'a source that was not asked for',
      tasks({ objective: 'x', sources: ['web'] }),
      'web is not among --sources',
    ],
    [
      'a cycle',
      tasks({ id: 't1', objective: 'x', dependsOn: ['t2'] }, { id: 't2', objective: 'y', dependsOn: ['t1'] }),
      't1 -> t2 -> t1',
    ],
    ['a task that needs itself', tasks({ id: 'a', objective: 'x', dependsOn: ['a'] }), 'a -> a'],
  ])('%s', (_, value, message) => {
    const read = readOutline(value, ['repo'], 'model')
    expect(!read.ok && read.errors.join('\n')).toContain(message)
  })

  test('a file may contain the output of --plan-only, and no key that is never read', () => {
    const printed = { ...planAsWritten(parts(tasks({ objective: 'x' })), frame), of: 'rules' }
    expect(readOutline(JSON.parse(JSON.stringify(printed)), ['repo'], 'file').ok).toBe(true)
    const odd = tasks({ objective: 'x', objectives: 'y' })
    expect(readOutline(odd, ['repo'], 'file').ok).toBe(false)
    expect(readOutline(odd, ['repo'], 'model').ok).toBe(true)
  })
})

describe('arranging', () => {
  test("tasks are numbered, know each other's objectives, and get their expected results", () => {
    const { tasks: made } = arrangeParts(
      parts(
        tasks(
          { id: 'x', objective: 'how locks are held' },
          { id: 'y', objective: 'what a crash leaves', dependsOn: [] },
        ),
      ),
      frame,
    )
    expect(made).toMatchObject([
      {
        id: 't1',
        kind: 'work',
        terms: expect.arrayContaining(['lock']),
        sources: ['repo'],
        boundaries: 'others cover: what a crash leaves',
      },
      { id: 't2', boundaries: 'others cover: how locks are held' },
    ])
    expect(made.every(({ output, stop }) => output !== '' && stop !== '')).toBe(true)
  })

  test('merges equal tasks, and updates dependencies', () => {
    const plan = arrangeParts(
      parts(
        tasks(
          { id: 'a', objective: 'locks', terms: ['lock', 'file'] },
          { id: 'b', objective: 'crash', terms: ['crash', 'journal'] },
          { id: 'c', objective: 'locking', terms: ['lock', 'file'] },
          { id: 'e', objective: 'budget', terms: ['budget', 'token'] },
          { id: 'd', objective: 'mail', terms: ['mail', 'box'], dependsOn: ['c'] },
        ),
      ),
      { ...frame, workers: 4 },
    )
    expect(plan.tasks.map(({ objective }) => objective)).toEqual([
      'locks; locking',
      'crash',
      'budget',
      'mail',
    ])
    expect(plan.tasks[3]?.dependsOn).toEqual(['t1'])
    expect(plan.dropped).toEqual([{ objective: 'locking', reason: 'merged', into: 't1' }])
  })

  test('lists the tasks beyond the cap', () => {
    const plan = arrangeParts(
      parts(tasks(...['alpha', 'beta', 'gamma', 'delta'].map((objective) => ({ objective })))),
      frame,
    )
    expect(plan.tasks).toHaveLength(3)
    expect(plan.dropped).toEqual([{ objective: 'delta', reason: 'cap' }])
  })

  test.each([
    ['one part', ['alpha'], 'the question has one part'],
    ['a chain', ['alpha', 'then beta', 'then gamma'], '3 of 3 parts need the one before'],
    [
      'a chain of more than half',
      ['alpha', 'based on that beta', 'gamma'],
      '2 of 3 parts need the one before',
    ],
  ])('%s is not split', (_, objectives, why) => {
    const plan = arrangeParts(
      chainParts(objectives.map((objective) => ({ objective, terms: [objective] }))),
      {
        ...frame,
        question: 'alpha',
      },
    )
    expect(plan.notSplit).toContain(why)
    expect(plan.tasks).toMatchObject([{ id: 't1', objective: 'alpha' }])
  })

  test('a part with the word "after" is not a dependency', () => {
    const made = chainParts([
      { objective: 'locks', terms: ['lock'] },
      { objective: 'what happens after a crash', terms: ['crash'] },
    ])
    expect(made.map(({ dependsOn }) => dependsOn)).toEqual([undefined, undefined])
  })

  test('keeps all tasks of a user, and names at most 40 others in each', () => {
    const objectives = Array.from({ length: 1000 }, (_, i) => ({ objective: `part ${i}` }))
    const plan = planAsWritten(parts(tasks(...objectives)), frame)
    expect(plan.tasks).toHaveLength(1000)
    expect(plan.dropped).toEqual([])
    expect(plan.tasks[999]?.boundaries.split('; ')).toHaveLength(40)
  })

  test('keeps a plan of a user unchanged', () => {
    const plan = planAsWritten(parts(tasks({ objective: 'same' }, { objective: 'same' })), frame)
    expect(plan.tasks.map(({ objective }) => objective)).toEqual(['same', 'same'])
  })
})
