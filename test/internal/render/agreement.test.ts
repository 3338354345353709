// A second opinion: what is valid here is valid for @json-render/core with the components of @json-render/ink.
import { defineCatalog, validateSpec } from '@json-render/core'
import { standardActionDefinitions, standardComponentDefinitions } from '@json-render/ink/catalog'
import { schema } from '@json-render/ink/schema'
import { expect, test } from 'vitest'
import { render } from '../../../internal/render/render.ts'
import { type ComponentType, componentSchemas, componentTypes } from '../../../internal/render/spec/props.ts'
import { options } from './draw.ts'
import { examples } from './examples.ts'
import { random } from './random.ts'
import { type Spec, validSpec } from './specs.ts'

const catalog = defineCatalog(schema, {
  components: standardComponentDefinitions,
  actions: standardActionDefinitions,
})

/** Arrays of objects whose optional keys are filled as well. */
const nested: Partial<Record<ComponentType, [string, string[]]>> = {
  BarChart: ['data', ['color']],
  Table: ['columns', ['width', 'align']],
  Timeline: ['items', ['description', 'date', 'status']],
}

/** Fills optional fields with null, which the other implementation requires. */
/** Properties that only Anode has. */
const ownProperties: Partial<Record<ComponentType, readonly string[]>> = { Metric: ['good'] }

function fill(spec: Spec) {
  const elements = Object.entries(spec.elements).map(([id, { type, props, children }]) => {
    const whole = withNulls(props, Object.keys(componentSchemas[type as ComponentType]?.def.shape ?? {}))
    const [key, keys] = nested[type as ComponentType] ?? []
    if (key && keys) whole[key] = (whole[key] as object[]).map((item) => withNulls(item, keys))
    return [id, { type, props: whole, children, visible: true }]
  })
  return { root: spec.root, elements: Object.fromEntries(elements) as Spec['elements'] }
}

function withNulls(value: object, keys: readonly string[]): Record<string, unknown> {
  return { ...Object.fromEntries(keys.map((key) => [key, null])), ...value }
}

/**
 * Returns the errors of the other two implementations for a filled spec: shape, each element's
 * properties, the graph.
 */
function withoutOwn(type: string, props: object): object {
  const own = ownProperties[type as ComponentType] ?? []
  return Object.fromEntries(Object.entries(props).filter(([name]) => !own.includes(name)))
}

function objections(filled: ReturnType<typeof fill>): unknown[] {
  const shape = catalog.validate(filled).error?.issues ?? []
  const props = Object.values(filled.elements).flatMap(({ type, props }): unknown[] => {
    const known = Object.hasOwn(standardComponentDefinitions, type)
    const component = standardComponentDefinitions[type as keyof typeof standardComponentDefinitions]
    return known
      ? (component.props.strict().safeParse(withoutOwn(type, props)).error?.issues ?? [])
      : [`no ${type}`]
  })
  const graph = validateSpec(filled as Parameters<typeof validateSpec>[0]).issues
  return [...shape, ...props, ...graph.filter((issue) => issue.severity === 'error')]
}

function check(spec: Spec) {
  expect(render(spec, options).errors, JSON.stringify(spec)).toEqual([])
  expect(objections(fill(spec)), JSON.stringify(spec)).toEqual([])
}

test.each(componentTypes)('json-render accepts the example of %s', (type) => {
  check(examples[type] as unknown as Spec)
})

test.each(componentTypes)('json-render agrees on fifty generated specs below %s', (type) => {
  const rng = random(31)
  for (let i = 0; i < 50; i++) check(validSpec(rng, type))
})

test('every component has the same properties as in json-render', () => {
  for (const type of componentTypes) {
    const theirs = standardComponentDefinitions[type as keyof typeof standardComponentDefinitions]
    expect([...Object.keys(theirs.props.shape), ...(ownProperties[type] ?? [])].sort(), type).toEqual(
      Object.keys(componentSchemas[type].def.shape).sort(),
    )
  }
})

test('json-render rejects bad specs', () => {
  const text = { type: 'Text', props: { text: 'x' }, children: [] }
  const bad: Record<string, Spec> = {
    'missing property': { root: 'a', elements: { a: { ...text, props: {} } } },
    'value outside an enumeration': {
      root: 'a',
      elements: { a: { type: 'Heading', props: { text: 'x', level: 'h9' }, children: [] } },
    },
    'unknown type': { root: 'a', elements: { a: { ...text, type: 'Tabel' } } },
    'missing child': { root: 'a', elements: { a: { type: 'Box', props: {}, children: ['b'] } } },
  }
  for (const [name, spec] of Object.entries(bad)) {
    expect([name, objections(fill(spec)).length > 0, render(spec, options).ok]).toEqual([name, true, false])
  }
})
