// Search for a cycle that a new dependency or a new parent of a task would create.

/**
 * Returns a path from `start` back to itself, as `[a, b, a]`, or undefined if no such path exists. `next`
 * returns the tasks to which a task points. Cycles without `start` are not found.
 */
export function findCycle(start: string, next: (id: string) => readonly string[]): string[] | undefined {
  const visitedIds = new Set<string>()
  const way: string[] = [start]
  const ahead: string[][] = [[...next(start)]]
  while (ahead.length > 0) {
    const id = ahead[ahead.length - 1]?.shift()
    if (id === undefined) {
      ahead.pop()
      way.pop()
    } else if (id === start) {
      return [...way, start]
    } else if (!visitedIds.has(id)) {
      visitedIds.add(id)
      way.push(id)
      ahead.push([...next(id)])
    }
  }
  return undefined
}
