// What undoing takes: tables of recorded writes and files as they are.
import { expect, test } from 'vitest'
import { planUndo, type RecordedWrite } from '../../../internal/undo/undo-plan.ts'

let pos = 0
const write = (path: string, before: string | null, after: string | null): RecordedWrite => ({
  ...{ call: 'c', tool: 'edit_file', path, after, pos: ++pos },
  before: before === null ? null : { hash: before, mode: 0o644 },
})

test.each<[string, RecordedWrite[], Record<string, string>, string[], string[]]>([
  ['a change', [write('a', '1', '2')], { a: '2' }, ['a 2 -> 1'], []],
  ['a new file', [write('a', null, '2')], { a: '2' }, ['a 2 -> gone'], []],
  ['a removed file', [write('a', '1', null)], {}, ['a gone -> 1'], []],
  ['several changes of one file', [write('a', '1', '2'), write('a', '2', '3')], { a: '3' }, ['a 3 -> 1'], []],
  ['made and removed', [write('a', null, '2'), write('a', '2', null)], {}, [], []],
  ['changed since', [write('a', '1', '2')], { a: '9' }, [], ['a: it was changed since']],
  ['removed since', [write('a', '1', '2')], {}, [], ['a: it was removed since']],
  ['undone already', [write('a', '1', '2')], { a: '1' }, [], []],
  ['never written', [write('a', '1', '2')], { a: '1', b: '2' }, [], []],
  [
    'changed by somebody else in between',
    [write('a', '1', '2'), write('a', '7', '8')],
    { a: '8' },
    ['a 8 -> 7'],
    ['a: it was changed in between: only later changes are undone'],
  ],
  [
    'two files, one of them touched since',
    [write('a', '1', '2'), write('b', null, '5')],
    { a: '2', b: '6' },
    ['a 2 -> 1'],
    ['b: it was changed since'],
  ],
])('plans the undo of %s', (_, writes, files, steps, left) => {
  const plan = planUndo(writes, (path) => files[path] ?? null)
  expect(
    plan.steps.map(({ path, expect, blob }) => `${path} ${expect ?? 'gone'} -> ${blob ?? 'gone'}`),
  ).toEqual(steps)
  expect(plan.left.map(({ path, why }) => `${path}: ${why}`)).toEqual(left)
})
