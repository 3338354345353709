// How large a spec is, without writing it out.

export interface Size {
  /** UTF-8 bytes of the whole as compact JSON, about. */
  total: number
  /** The same without what is in `rows`, `data` and `items`. */
  core: number
  /** Levels of arrays and objects inside each other. */
  depth: number
}

const bulk = new Set(['rows', 'data', 'items'])

/** Walks with a stack of its own: depth of nesting costs memory, never the program's stack. */
export function sizeOf(spec: unknown): Size {
  const size: Size = { total: 0, core: 0, depth: 0 }
  const stack: { value: unknown; bulk: boolean; depth: number }[] = [{ value: spec, bulk: false, depth: 1 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value } = next
    let bytes = 2
    if (typeof value === 'string') {
      bytes += Buffer.byteLength(value)
    } else if (typeof value === 'object' && value !== null) {
      size.depth = Math.max(size.depth, next.depth)
      const depth = next.depth + 1
      if (Array.isArray(value)) {
        for (const item of value) stack.push({ value: item, bulk: next.bulk, depth })
        bytes += value.length
      } else {
        for (const [key, item] of Object.entries(value)) {
          stack.push({ value: item, bulk: next.bulk || bulk.has(key), depth })
          bytes += Buffer.byteLength(key) + 4
        }
      }
    } else {
      bytes = String(value).length
    }
    size.total += bytes
    if (!next.bulk) size.core += bytes
  }
  return size
}
