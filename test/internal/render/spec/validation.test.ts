// Each code of a bad spec, the limits, and the order in which problems come.
import { expect, test } from 'vitest'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'
import { validateSpec } from '../../../../internal/render/spec/validation.ts'

function check(spec: unknown) {
  const errors = collectIssues()
  const warnings = collectIssues()
  const node = validateSpec(spec, errors, warnings)
  return { node, errors: errors.list(), warnings: warnings.list() }
}

const brief = (spec: unknown) => {
  const { errors, warnings } = check(spec)
  return [...errors, ...warnings].map(({ code, path }) => `${code} ${path}`.trim())
}

const text = { type: 'Text', props: { text: 'x' } }

const cases: [string, unknown, string[]][] = [
  ['no object', [], ['not_object']],
  ['no elements', { root: 'a' }, ['not_object elements']],
  ['elements as an array', { root: 'a', elements: [] }, ['not_object elements']],
  ['no root', { elements: { a: text } }, ['missing_root root']],
  ['root that is no string', { root: 1, elements: { a: text } }, ['missing_root root']],
  ['root that is not there', { root: 'b', elements: { a: text } }, ['root_not_found root']],
  ['root from a prototype', { root: 'toString', elements: { a: text } }, ['root_not_found root']],
  ['element that is no object', { root: 'a', elements: { a: 'x' } }, ['not_object elements.a']],
  ['orphan', { root: 'a', elements: { a: text, b: text } }, ['orphaned_element elements.b']],
  ['unknown part of a spec', { root: 'a', elements: { a: text }, state: {} }, ['unknown_prop state']],
]

test.each(cases)('checks the spec: %s', (_, spec, expected) => {
  expect(brief(spec)).toEqual(expected)
})

test('a good spec becomes a tree without hidden elements', () => {
  const { node, errors } = check({
    root: 'a',
    elements: {
      a: { type: 'Box', children: ['b', 'c'] },
      b: { ...text, visible: false },
      c: { ...text, visible: true },
    },
  })
  expect(errors).toEqual([])
  const kid = { id: 'c', type: 'Text', props: { text: 'x' }, kids: [] }
  expect(node).toMatchObject({ id: 'a', type: 'Box', kids: [kid] })
})

test('checks nothing else if there are too many elements', () => {
  const elements = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`e${i}`, 'bad']))
  expect(brief({ root: 'e0', elements })).toEqual(['too_many_elements elements'])
})

test('a thousand elements are allowed', () => {
  const ids = Array.from({ length: 999 }, (_, i) => `e${i}`)
  const leaves = Object.fromEntries(ids.map((id) => [id, text]))
  expect(brief({ root: 'r', elements: { r: { type: 'Box', children: ids }, ...leaves } })).toEqual([])
})

test('rejects a spec that is too large', () => {
  const list = (props: object) => ({ root: 'a', elements: { a: { type: 'List', props } } })
  expect(brief(list({ items: ['x'.repeat(300_000)] }))).toEqual([])
  expect(brief(list({ items: ['x'.repeat(9_000_000)] }))).toEqual(['too_large'])
  expect(brief(list({ items: [], bulletChar: 'x'.repeat(300_000) }))).toEqual(['too_large'])
})

test('rejects values that are nested too deeply', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(brief({ root: 'a', elements: { a: { type: 'List', props: { items: deep } } } })).toEqual([
    'too_deep',
  ])
})

test('reports all problems together, sorted by code', () => {
  const spec = {
    root: 'a',
    elements: {
      a: { type: 'Box', props: { gap: 'x', on: 1 }, children: ['b', 'b', 'gone'], on: {} },
      b: { type: 'Tabel', props: {}, children: ['c'] },
      c: { type: 'Text', props: {}, children: ['a'] },
      '': text,
    },
  }
  expect(brief(spec)).toEqual([
    'bad_id elements[""]',
    'unknown_type elements.b.type',
    'missing_child elements.a.children[2]',
    'duplicate_child elements.a.children[1]',
    'cycle elements.a.children[0]',
    'children_not_allowed elements.c.children',
    'missing_prop elements.c.props.text',
    'bad_prop elements.a.props.gap',
    'unsupported_dynamic elements.a.on',
    'unknown_prop elements.a.props.on',
    'orphaned_element elements[""]',
  ])
})

test('counts the problems above a hundred', () => {
  const elements = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`e${i}`, { type: 'Nope' }]))
  const { errors } = check({ root: 'e0', elements })
  expect(errors).toHaveLength(101)
  expect(errors.at(-1)).toMatchObject({ code: 'more_issues', message: '50 more are not listed' })
})
