// One element of a spec: its id, its shape, its type, what it says about children and visibility.
import { suggestion } from '../base/nearest.ts'
import type { Place } from './cell.ts'
import { at, type Issues, isObject, quote } from './issue.ts'
import { checkProps } from './property.ts'
import { containers, schemas, type Type, types } from './props.ts'

/** An element whose problems have been reported; `props` are parsed and clean when there were none. */
export interface Element {
  type: Type
  props: unknown
  children: readonly string[]
  visible: boolean
}

const badIds = new Set(['__proto__', 'constructor', 'prototype'])

export function checkElement(id: string, raw: unknown, errors: Issues, warnings: Issues): Element {
  const path = at('elements', id.slice(0, 128))
  if (id === '' || id.length > 128 || /\p{Cc}/u.test(id) || badIds.has(id)) {
    errors.add(
      'bad_id',
      path,
      'ids have 1 to 128 characters, no control characters, and are no built-in name',
      id,
    )
  }
  const none: Element = { type: 'Spacer', props: {}, children: [], visible: true }
  if (!isObject(raw)) {
    errors.add('not_object', path, `an element is an object, got ${quote(raw)}`, id)
    return none
  }
  checkKeys(raw, { path, element: id, errors, warnings })
  const type = Object.hasOwn(raw, 'type') ? raw['type'] : undefined
  const props = raw['props'] ?? {}
  const children = childrenOf(raw['children'], at(path, 'children'), id, errors)
  if (!isObject(props)) {
    errors.add('not_object', at(path, 'props'), `must be an object, got ${quote(props)}`, id)
  }
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) {
    errors.add('unknown_type', at(path, 'type'), unknownType(type), id)
    return { ...none, children }
  }
  if (children.length > 0 && !containers.has(type)) {
    errors.add('children_not_allowed', at(path, 'children'), `${type} takes no children`, id)
  }
  const place = { path: at(path, 'props'), element: id, errors, warnings }
  const parsed = isObject(props) ? checkProps(type as Type, props, place) : {}
  return { type: type as Type, props: parsed, children, visible: raw['visible'] !== false }
}

function unknownType(type: unknown): string {
  if (typeof type !== 'string') return `must be the name of a component, got ${quote(type)}`
  const name = type.slice(0, 40)
  return `${name}: ${suggestion(name, types, 1) || `no such component; known: ${types.join(', ')}`}`
}

const plainKeys = new Set(['type', 'props', 'children', 'visible'])
const dynamicKeys = new Set(['repeat', 'on', 'watch'])

function checkKeys(raw: Record<string, unknown>, { path, element, errors, warnings }: Place): void {
  for (const [key, value] of Object.entries(raw)) {
    if (dynamicKeys.has(key)) {
      if (value !== null) errors.add('unsupported_dynamic', at(path, key), 'is not supported here', element)
    } else if (!plainKeys.has(key)) {
      warnings.add('unknown_prop', at(path, key), 'is not part of an element', element)
    }
  }
  const { visible } = raw
  if (visible !== undefined && visible !== null && typeof visible !== 'boolean') {
    errors.add(
      'unsupported_dynamic',
      at(path, 'visible'),
      `must be true or false, got ${quote(visible)}`,
      element,
    )
  }
}

function childrenOf(children: unknown, path: string, id: string, errors: Issues): string[] {
  if (children === undefined || children === null) return []
  if (!Array.isArray(children)) {
    errors.add('not_object', path, `must be an array of ids, got ${quote(children)}`, id)
    return []
  }
  return children.filter((child, i) => {
    if (typeof child === 'string') return true
    errors.add('not_object', at(path, i), `must be the id of an element, got ${quote(child)}`, id)
    return false
  })
}
