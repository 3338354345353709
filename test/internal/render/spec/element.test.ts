// One element: ids, keys, types, children, visibility.
import { expect, test } from 'vitest'
import { checkElement } from '../../../../internal/render/spec/element.ts'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'

function check(raw: unknown, id = 'a') {
  const errors = collectIssues()
  const warnings = collectIssues()
  const element = checkElement(id, raw, errors, warnings)
  const brief = [...errors.list(), ...warnings.list()].map(({ code, path }) => `${code} ${path}`)
  return { element, brief, messages: errors.list().map((issue) => issue.message) }
}

const text = { type: 'Text', props: { text: 'x' } }

const badIds = ['', 'x'.repeat(129), 'a\nb', 'a\x85', '__proto__', 'constructor', 'prototype']

test.each(badIds)('bad id %j', (id) => {
  expect(check(text, id).brief.map((line) => line.split(' ')[0])).toEqual(['bad_id'])
})

test.each(['x'.repeat(128), 'a b', 'ünï', 'toString', '0'])('good id %j', (id) => {
  expect(check(text, id).brief).toEqual([])
})

const cases: [string, unknown, string[]][] = [
  ['no object', 3, ['not_object elements.a']],
  ['null for what is optional', { ...text, children: null, visible: null, on: null }, []],
  ['missing props where nothing is required', { type: 'Box' }, []],
  ['missing props where something is', { type: 'Text' }, ['missing_prop elements.a.props.text']],
  ['props that are no object', { type: 'Box', props: [] }, ['not_object elements.a.props']],
  ['children that are no array', { type: 'Box', children: 'b' }, ['not_object elements.a.children']],
  ['children that are no ids', { type: 'Box', children: ['b', 3] }, ['not_object elements.a.children[1]']],
  ['children of a leaf', { ...text, children: ['b'] }, ['children_not_allowed elements.a.children']],
  ['no children of a leaf', { ...text, children: [] }, []],
  ['no type', { props: {} }, ['unknown_type elements.a.type']],
  ['a type of the prototype', { type: 'constructor' }, ['unknown_type elements.a.type']],
  ['events', { ...text, on: { press: {} } }, ['unsupported_dynamic elements.a.on']],
  ['repetition', { ...text, repeat: {} }, ['unsupported_dynamic elements.a.repeat']],
  ['watching', { ...text, watch: {} }, ['unsupported_dynamic elements.a.watch']],
  ['a condition', { ...text, visible: { $state: '/x' } }, ['unsupported_dynamic elements.a.visible']],
  ['unknown keys', { ...text, slot: 1 }, ['unknown_prop elements.a.slot']],
]

test.each(cases)('checks %s', (_, raw, expected) => {
  expect(check(raw).brief).toEqual(expected)
})

test('a mistyped type is answered with the nearest name, a strange one with all', () => {
  expect(check({ type: 'Tabel' }).messages).toEqual(['Tabel: did you mean Table?'])
  expect(check({ type: 'Zzzzzzzzzz' }).messages[0]).toMatch(
    /^Zzzzzzzzzz: no such component; known: Box, Text, /,
  )
})

test('returns the parts of an element', () => {
  expect(check({ type: 'Box', props: { gap: 1 }, children: ['b'], visible: false }).element).toEqual({
    type: 'Box',
    props: { gap: 1 },
    children: ['b'],
    visible: false,
  })
})
