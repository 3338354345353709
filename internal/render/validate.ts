// Whether a spec can be drawn: its shape, its elements, their properties, and the tree they form.
import { suggestion } from '../base/nearest.ts'
import { checkElement, type Element } from './element.ts'
import { checkGraph } from './graph.ts'
import { at, type Issues, isObject, quote } from './issue.ts'
import type { Props, Type } from './props.ts'
import { sizeOf } from './size.ts'

/** An element that has passed: properties parsed and clean, children in order. */
export type Node = { [T in Type]: { id: string; type: T; props: Props[T]; kids: Node[] } }[Type]

const mostElements = 1000
const mostBytes = 8 * 1024 * 1024
const mostCoreBytes = 256 * 1024
/** Arrays and objects inside each other; no spec that means something comes near. */
const mostNesting = 200

/** The tree below the root without what is hidden, or undefined when there were errors or nothing is visible. */
export function validate(spec: unknown, errors: Issues, warnings: Issues): Node | undefined {
  if (!isObject(spec)) {
    errors.add('not_object', '', `a spec is an object, got ${quote(spec)}`)
    return undefined
  }
  const elements = spec['elements']
  if (!isObject(elements)) {
    errors.add('not_object', 'elements', `must be an object, got ${quote(elements)}`)
    return undefined
  }
  if (!withinLimits(spec, elements, errors)) return undefined
  for (const key of Object.keys(spec)) {
    if (key !== 'root' && key !== 'elements')
      warnings.add('unknown_prop', at('', key), 'is not part of a spec')
  }
  const root = rootOf(spec, elements, errors)
  const found = new Map<string, Element>()
  for (const [id, raw] of Object.entries(elements)) {
    found.set(id, checkElement(id, raw, errors, warnings))
  }
  const links = new Map([...found].map(([id, element]) => [id, element.children]))
  const reached = checkGraph(links, root, errors)
  if (root === undefined) return undefined
  for (const id of found.keys()) {
    if (!reached.has(id)) warnings.add('orphaned_element', at('elements', id), 'hangs below nothing', id)
  }
  return errors.count() === 0 ? grow(root, found) : undefined
}

/** Depth is limited to 64 by then. */
function grow(id: string, found: ReadonlyMap<string, Element>): Node | undefined {
  const { type, props, children, visible } = found.get(id) as Element
  if (!visible) return undefined
  const kids = children.map((child) => grow(child, found)).filter((kid) => kid !== undefined)
  return { id, type, props, kids } as Node
}

function withinLimits(spec: object, elements: object, errors: Issues): boolean {
  const count = Object.keys(elements).length
  if (count > mostElements) {
    errors.add('too_many_elements', 'elements', `${count} elements, at most ${mostElements} are allowed`)
    return false
  }
  const { total, core, depth } = sizeOf(spec)
  if (total > mostBytes) {
    errors.add('too_large', '', `${total} bytes, at most ${mostBytes} are allowed`)
  } else if (core > mostCoreBytes) {
    const rule = `at most ${mostCoreBytes} are allowed outside of rows, data and items`
    errors.add('too_large', '', `${core} bytes, ${rule}`)
  } else if (depth > mostNesting) {
    errors.add('too_deep', '', `${depth} levels of values inside values, at most ${mostNesting} are allowed`)
  } else {
    return true
  }
  return false
}

function rootOf(spec: Record<string, unknown>, elements: object, errors: Issues): string | undefined {
  const root = Object.hasOwn(spec, 'root') ? spec['root'] : undefined
  if (typeof root !== 'string') {
    errors.add('missing_root', 'root', `must be the id of an element, got ${quote(root)}`)
    return undefined
  }
  if (Object.hasOwn(elements, root)) return root
  const hint = suggestion(root, Object.keys(elements), 1)
  errors.add('root_not_found', 'root', `${quote(root)} is not in elements${hint && `, ${hint}`}`)
  return undefined
}
