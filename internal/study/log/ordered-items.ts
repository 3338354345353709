// Things by id, read in the order of ids whatever the order in which they came: results must not depend on
// who was faster.

export interface OrderedItems<T extends { id: string }> {
  put(item: T): void
  /** The same map each time, in order when it is handed out. */
  items(): Map<string, T>
}

/** Putting costs the same however much is there; what came out of order is sorted when somebody looks. */
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

/** `C2.10` comes after `C2.9`. */
export function compareIds(a: string, b: string): number {
  return orderOf(a) - orderOf(b)
}

/** Task number and counter as one number. */
function orderOf(id: string): number {
  const dot = id.indexOf('.')
  return dot < 0 ? Number(id.slice(1)) * 1e6 : Number(id.slice(1, dot)) * 1e6 + Number(id.slice(dot + 1))
}
