// Cycles in small graphs.
import { expect, test } from 'vitest'
import { findCycle } from '../../../../internal/store/task/dependency-cycle.ts'

const graphs: [string, Record<string, string>, string | undefined][] = [
  ['nothing', { a: '' }, undefined],
  ['itself', { a: 'a' }, 'a a'],
  ['a chain', { a: 'b', b: 'c', c: '' }, undefined],
  ['a ring', { a: 'b', b: 'c', c: 'a' }, 'a b c a'],
  ['a ring behind a dead end', { a: 'x b', x: 'y', y: '', b: 'a' }, 'a b a'],
  ['a ring elsewhere', { a: 'b', b: 'c', c: 'b' }, undefined],
  ['a diamond', { a: 'b c', b: 'd', c: 'd', d: '' }, undefined],
  ['unknown tasks', { a: 'nowhere' }, undefined],
]

test.each(graphs)('finds a cycle in the dependencies: %s', (_, edges, way) => {
  const next = (id: string) => (edges[id] ?? '').split(' ').filter((other) => other !== '')
  expect(findCycle('a', next)?.join(' ')).toBe(way)
})

test('visits each task once in a graph with many paths', () => {
  let asked = 0
  const next = (id: string) => {
    asked++
    const level = Number.parseInt(id, 10)
    return level < 40 ? [`${level + 1}x`, `${level + 1}y`] : []
  }
  expect(findCycle('0', next)).toBeUndefined()
  expect(asked).toBeLessThan(100)
})
