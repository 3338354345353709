// Validation of a spec: its shape, its elements, their properties, and the tree that they form.

import { suggestNames } from '../../base/text/name-suggestion.ts'
import { isObject } from '../../base/untrusted-json.ts'
import { checkElement, type SpecElement } from './element.ts'
import { checkGraph } from './graph.ts'
import { appendPathKey, type IssueCollector, quoteValue } from './issues.ts'
import type { ComponentProps, ComponentType } from './props.ts'
import { sizeOf } from './spec-size.ts'

/** A valid element: properties parsed, children in order. */
export type SpecNode = {
  [T in ComponentType]: { id: string; type: T; props: ComponentProps[T]; kids: SpecNode[] }
}[ComponentType]

const maxElements = 1000
const maxSpecBytes = 8 * 1024 * 1024
const maxCoreBytes = 256 * 1024
/**
 * Maximum nesting of arrays and objects. A deeper spec gives an error; no useful spec comes near this depth.
 */
const maxNesting = 200

/**
 * Returns the root with the tree below it, without hidden elements. Returns undefined after an error, or if
 * the root is hidden.
 */
export function validateSpec(
  spec: unknown,
  errors: IssueCollector,
  warnings: IssueCollector,
): SpecNode | undefined {
  if (!isObject(spec)) {
    errors.add('not_object', '', `a spec is an object, got ${quoteValue(spec)}`)
    return undefined
  }
  const elements = spec['elements']
  if (!isObject(elements)) {
    errors.add('not_object', 'elements', `must be an object, got ${quoteValue(elements)}`)
    return undefined
  }
  if (!withinLimits(spec, elements, errors)) return undefined
  for (const key of Object.keys(spec)) {
    if (key !== 'root' && key !== 'elements')
      warnings.add('unknown_prop', appendPathKey('', key), 'is not part of a spec')
  }
  const root = rootOf(spec, elements, errors)
  const checkedElements = new Map<string, SpecElement>()
  for (const [id, raw] of Object.entries(elements)) {
    checkedElements.set(id, checkElement(id, raw, errors, warnings))
  }
  const links = new Map([...checkedElements].map(([id, element]) => [id, element.children]))
  const reached = checkGraph(links, root, errors)
  if (root === undefined) return undefined
  for (const id of checkedElements.keys()) {
    if (!reached.has(id))
      warnings.add('orphaned_element', appendPathKey('elements', id), 'hangs below nothing', id)
  }
  return errors.count() === 0 ? buildTree(root, checkedElements) : undefined
}

/**
 * Returns the tree of an element, or undefined if the element is hidden. The depth was limited to 64 before,
 * so recursion is safe.
 */
function buildTree(id: string, checkedElements: ReadonlyMap<string, SpecElement>): SpecNode | undefined {
  const { type, props, children, visible } = checkedElements.get(id) as SpecElement
  if (!visible) return undefined
  const kids = children.map((child) => buildTree(child, checkedElements)).filter((kid) => kid !== undefined)
  return { id, type, props, kids } as SpecNode
}

function withinLimits(spec: object, elements: object, errors: IssueCollector): boolean {
  const count = Object.keys(elements).length
  if (count > maxElements) {
    errors.add('too_many_elements', 'elements', `${count} elements, at most ${maxElements} are allowed`)
    return false
  }
  const { total, core, depth } = sizeOf(spec)
  if (total > maxSpecBytes) {
    errors.add('too_large', '', `${total} bytes, at most ${maxSpecBytes} are allowed`)
  } else if (core > maxCoreBytes) {
    const rule = `at most ${maxCoreBytes} are allowed outside of rows, data and items`
    errors.add('too_large', '', `${core} bytes, ${rule}`)
  } else if (depth > maxNesting) {
    errors.add('too_deep', '', `${depth} levels of values inside values, at most ${maxNesting} are allowed`)
  } else {
    return true
  }
  return false
}

function rootOf(spec: Record<string, unknown>, elements: object, errors: IssueCollector): string | undefined {
  const root = Object.hasOwn(spec, 'root') ? spec['root'] : undefined
  if (typeof root !== 'string') {
    errors.add('missing_root', 'root', `must be the id of an element, got ${quoteValue(root)}`)
    return undefined
  }
  if (Object.hasOwn(elements, root)) return root
  const hint = suggestNames(root, Object.keys(elements), 1)
  errors.add('root_not_found', 'root', `${quoteValue(root)} is not in elements${hint && `, ${hint}`}`)
  return undefined
}
