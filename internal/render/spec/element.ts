// One element of a spec: its id, shape, type, children and visibility.

import { suggestNames } from '../../base/text/name-suggestion.ts'
import { isObject } from '../../base/untrusted-json.ts'
import type { IssueContext } from './cell-text.ts'
import { checkProps } from './check-props.ts'
import { appendPathKey, type IssueCollector, quoteValue } from './issues.ts'
import { type ComponentType, componentSchemas, componentTypes, containerTypes } from './props.ts'

/** An element after its check. `props` are parsed and valid if no error was reported. */
export interface SpecElement {
  type: ComponentType
  props: unknown
  children: readonly string[]
  visible: boolean
}

const badIds = new Set(['__proto__', 'constructor', 'prototype'])

export function checkElement(
  id: string,
  raw: unknown,
  errors: IssueCollector,
  warnings: IssueCollector,
): SpecElement {
  const path = appendPathKey('elements', id.slice(0, 128))
  if (id === '' || id.length > 128 || /\p{Cc}/u.test(id) || badIds.has(id)) {
    errors.add(
      'bad_id',
      path,
      'ids have 1 to 128 characters, no control characters, and differ from built-in names',
      id,
    )
  }
  const none: SpecElement = { type: 'Spacer', props: {}, children: [], visible: true }
  if (!isObject(raw)) {
    errors.add('not_object', path, `an element is an object, got ${quoteValue(raw)}`, id)
    return none
  }
  checkKeys(raw, { path, element: id, errors, warnings })
  const type = Object.hasOwn(raw, 'type') ? raw['type'] : undefined
  const props = raw['props'] ?? {}
  const children = childrenOf(raw['children'], appendPathKey(path, 'children'), id, errors)
  if (!isObject(props)) {
    errors.add('not_object', appendPathKey(path, 'props'), `must be an object, got ${quoteValue(props)}`, id)
  }
  if (typeof type !== 'string' || !Object.hasOwn(componentSchemas, type)) {
    errors.add('unknown_type', appendPathKey(path, 'type'), unknownType(type), id)
    return { ...none, children }
  }
  if (children.length > 0 && !containerTypes.has(type)) {
    errors.add('children_not_allowed', appendPathKey(path, 'children'), `${type} takes no children`, id)
  }
  const place = { path: appendPathKey(path, 'props'), element: id, errors, warnings }
  const parsed = isObject(props) ? checkProps(type as ComponentType, props, place) : {}
  return { type: type as ComponentType, props: parsed, children, visible: raw['visible'] !== false }
}

function unknownType(type: unknown): string {
  if (typeof type !== 'string') return `must be the name of a component, got ${quoteValue(type)}`
  const name = type.slice(0, 40)
  const near = suggestNames(name, componentTypes, 1)
  return `${name}: ${near || `no such component; known: ${componentTypes.join(', ')}`}`
}

const plainKeys = new Set(['type', 'props', 'children', 'visible'])
const dynamicKeys = new Set(['repeat', 'on', 'watch'])

function checkKeys(raw: Record<string, unknown>, { path, element, errors, warnings }: IssueContext): void {
  for (const [key, value] of Object.entries(raw)) {
    if (dynamicKeys.has(key)) {
      if (value !== null)
        errors.add('unsupported_dynamic', appendPathKey(path, key), 'is not supported here', element)
    } else if (!plainKeys.has(key)) {
      warnings.add('unknown_prop', appendPathKey(path, key), 'is not part of an element', element)
    }
  }
  const { visible } = raw
  if (visible !== undefined && visible !== null && typeof visible !== 'boolean') {
    errors.add(
      'unsupported_dynamic',
      appendPathKey(path, 'visible'),
      `must be true or false, got ${quoteValue(visible)}`,
      element,
    )
  }
}

function childrenOf(children: unknown, path: string, id: string, errors: IssueCollector): string[] {
  if (children === undefined || children === null) return []
  if (!Array.isArray(children)) {
    errors.add('not_object', path, `must be an array of ids, got ${quoteValue(children)}`, id)
    return []
  }
  return children.filter((child, i) => {
    if (typeof child === 'string') return true
    errors.add(
      'not_object',
      appendPathKey(path, i),
      `must be the id of an element, got ${quoteValue(child)}`,
      id,
    )
    return false
  })
}
