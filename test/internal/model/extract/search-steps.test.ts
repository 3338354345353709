// Checks the order of work.
import { expect, test } from 'vitest'
import { concludeClaims, planSteps } from '../../../../internal/model/extract/search-steps.ts'
import type { ModelMessage } from '../../../../internal/model/model.ts'

const offered = (...names: string[]) => names.map((name) => ({ name, description: '', schema: {} }))
const all = offered('glob', 'grep', 'finder', 'read', 'bash')
const terms = ['lock', 'lease']

/** A call and its result, as the loop would put them down. */
function done(name: string, args: Record<string, unknown>, content: string, data?: unknown): ModelMessage[] {
  const id = `${name}${JSON.stringify(args)}`
  return [
    { role: 'assistant', content: '', calls: [{ id, name, args }] },
    { role: 'tool', callId: id, name, content, data },
  ]
}
const listed = done('glob', {}, '', { total: 40, matches: [] })
const searched = done('grep', { pattern: 'lock' }, '', {
  matches: [
    { path: 'a.md', line: 15, text: 'a lock' },
    { path: 'a.md', line: 200, text: 'a lock and its lease' },
    { path: 'b.md', line: 2, text: 'the lock' },
  ],
})
const found = done('finder', {}, '', { matches: [] })

test('list, search, find, read, answer', () => {
  expect(planSteps([], 0, terms, all).steps).toEqual([
    { name: 'glob', args: { pattern: '**/*', limit: 2000 } },
  ])
  expect(planSteps(listed, 0, terms, all).steps).toEqual([
    { name: 'grep', args: { pattern: 'lock', max_matches: 20 } },
    { name: 'grep', args: { pattern: 'lease', max_matches: 20 } },
  ])
  expect(planSteps([...listed, ...searched], 0, terms, all).steps).toEqual([
    { name: 'finder', args: { mode: 'text', query: 'lock lease' } },
  ])
  const before = [...listed, ...searched, ...found]
  expect(planSteps(before, 0, terms, all).steps).toEqual([
    { name: 'read', args: { path: 'a.md', start_line: 5, end_line: 25 } },
    { name: 'read', args: { path: 'a.md', start_line: 190, end_line: 210 } },
    { name: 'read', args: { path: 'b.md', start_line: 1, end_line: 12 } },
  ])
  const read = done('read', { path: 'a.md' }, '200\tThe lease of a lock ends.', { path: 'a.md' })
  const progress = planSteps([...before, ...read], 0, terms, all)
  expect(progress.steps).toEqual([])
  expect(concludeClaims(terms, progress).taken).toMatchObject([
    { path: 'a.md', from: 200, terms: ['lock', 'lease'] },
  ])
})

test('tools that are not offered are left out', () => {
  expect(planSteps([], 0, terms, offered('grep', 'read')).steps[0]?.name).toBe('grep')
  expect(planSteps([], 0, terms, [])).toMatchObject({ steps: [] })
  expect(planSteps(searched, 0, terms, offered('bash')).steps).toEqual([])
})

test('nothing found: nothing to read', () => {
  const none = done('grep', { pattern: 'lock' }, '', { matches: [] })
  expect(planSteps([...listed, ...none, ...found], 0, terms, all).steps).toEqual([])
})

test('no terms: nothing to do', () => {
  expect(planSteps([], 0, [], all).steps).toEqual([])
})

test('five files at most, best first, and no file at more than twelve places', () => {
  const matches = Array.from({ length: 8 }, (_, i) => ({ path: `f${i}.md`, line: 1, text: 'lock' }))
  for (let i = 0; i < 20; i++) matches.push({ path: 'f7.md', line: 100 * (i + 1), text: 'lock' })
  const many = done('grep', { pattern: 'lock' }, '', { matches })
  const { steps } = planSteps(many, 0, terms, offered('read'))
  const paths = steps.map((step) => step.args.path)
  expect([...new Set(paths)]).toEqual(['f7.md', 'f0.md', 'f1.md', 'f2.md', 'f3.md'])
  expect(paths.filter((path) => path === 'f7.md')).toHaveLength(12)
})
