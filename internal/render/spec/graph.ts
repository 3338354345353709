// The tree of elements and their children, with a search for all errors in its structure.
import { appendPathKey, type IssueCollector, quoteValue } from './issues.ts'

const maxDepth = 64

/** Children by id, in the order of the spec. */
type ChildLinks = ReadonlyMap<string, readonly string[]>

/**
 * Reports missing, doubled and shared children, cycles (the first 100 with their whole path), and elements
 * deeper than the maximum depth. Returns the ids that can be reached from `root`, none without a root. Visits
 * every element and link once, without recursion.
 */
export function checkGraph(links: ChildLinks, root: string | undefined, errors: IssueCollector): Set<string> {
  for (const [id, children] of links) checkChildren(id, children, links, errors)
  const walk: GraphWalk = { links, errors, parents: new Map(), done: new Set(), open: new Map(), cycles: 0 }
  if (root !== undefined) visitElements(root, walk)
  const reached = new Set(walk.done)
  for (const id of links.keys()) if (!walk.done.has(id)) visitElements(id, walk)
  return reached
}

function checkChildren(
  id: string,
  children: readonly string[],
  links: ChildLinks,
  errors: IssueCollector,
): void {
  const seenIds = new Set<string>()
  for (const [i, child] of children.entries()) {
    if (!links.has(child)) {
      errors.add('missing_child', childPath(id, i), `${quoteValue(child)} is not in elements`, id)
    } else if (seenIds.has(child)) {
      errors.add('duplicate_child', childPath(id, i), `${quoteValue(child)} is listed twice`, id)
    }
    seenIds.add(child)
  }
}

const childPath = (id: string, i: number) =>
  appendPathKey(appendPathKey(appendPathKey('elements', id), 'children'), i)

interface GraphWalk {
  links: ChildLinks
  errors: IssueCollector
  parents: Map<string, string>
  /** Ids that were visited and whose descendants were all visited too. */
  done: Set<string>
  /** Ids on the current path from the start, with their depth. */
  open: Map<string, number>
  cycles: number
}

interface WalkStep {
  id: string
  /** Index of the next child to visit. */
  next: number
}

function visitElements(start: string, walk: GraphWalk): void {
  const stack: WalkStep[] = [{ id: start, next: 0 }]
  walk.open.set(start, 0)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = (walk.links.get(top.id) ?? [])[top.next++]
    if (child === undefined) {
      stack.pop()
      walk.open.delete(top.id)
      walk.done.add(top.id)
    } else if (walk.links.has(child)) {
      followChild(child, stack, walk)
    }
  }
}

function followChild(child: string, stack: WalkStep[], walk: GraphWalk): void {
  const { id } = stack.at(-1) as WalkStep
  const depth = walk.open.get(child)
  if (depth !== undefined) {
    reportCycle(stack, depth, walk)
    return
  }
  const parent = walk.parents.get(child)
  if (parent !== undefined && parent !== id) {
    const path = appendPathKey('elements', child)
    walk.errors.add(
      'multiple_parents',
      path,
      `is a child of ${quoteValue(parent)} and of ${quoteValue(id)}`,
      child,
    )
  }
  walk.parents.set(child, parent ?? id)
  if (walk.done.has(child)) return
  walk.open.set(child, stack.length)
  stack.push({ id: child, next: 0 })
  if (stack.length === maxDepth + 1) {
    walk.errors.add('too_deep', appendPathKey('elements', child), `is below level ${maxDepth}`, child)
  }
}

/**
 * Maximum number of cycles that are reported with their path. Further cycles are reported with one id each.
 */
const named = 100

function reportCycle(stack: readonly WalkStep[], from: number, walk: GraphWalk): void {
  const { id, next } = stack[from] as WalkStep
  const ring = walk.cycles++ < named ? stack.slice(from).map((step) => step.id.slice(0, 128)) : []
  walk.errors.add('cycle', childPath(id, next - 1), [...ring, id.slice(0, 128)].join(' -> '), id)
}
