// A map whose items are sorted by id and not by arrival, because results must not depend on the
// speed of workers.

export interface OrderedItems<T extends { id: string }> {
  put(item: T): void
  /** Returns the items, sorted. It is the same map each time. */
  items(): Map<string, T>
}

/** Creates the map. Adding an item takes constant time; the items are sorted when the map is read. */
export function createOrderedItems<T extends { id: string }>(): OrderedItems<T> {
  const map = new Map<string, T>()
  let last = 0
  let sorted = true
  return {
    put(item) {
      const place = orderOf(item.id)
      if (place < last) sorted = false
      else last = place
      map.set(item.id, item)
    },
    items() {
      if (sorted) return map
      const inOrder = [...map.values()].sort((a, b) => compareIds(a.id, b.id))
      map.clear()
      for (const item of inOrder) map.set(item.id, item)
      sorted = true
      return map
    },
  }
}

/** Compares two ids by their numbers, so that `C2.10` comes after `C2.9`. */
export function compareIds(a: string, b: string): number {
  return orderOf(a) - orderOf(b)
}

/** Returns the task number and the counter of an id as one number for sorting. */
function orderOf(id: string): number {
  const dot = id.indexOf('.')
  return dot < 0 ? Number(id.slice(1)) * 1e6 : Number(id.slice(1, dot)) * 1e6 + Number(id.slice(dot + 1))
}
