// The size of a spec, computed without serializing it.

interface SpecSize {
  /** Approximate UTF-8 bytes of the whole spec as compact JSON. */
  total: number
  /** Approximate bytes without the contents of `rows`, `data` and `items`, which may be long. */
  core: number
  /** Nesting depth of arrays and objects. */
  depth: number
}

const bulk = new Set(['rows', 'data', 'items'])

interface PendingValue {
  value: object
  bulk: boolean
  depth: number
}

/** Computes the size with an explicit stack, so that deep nesting cannot overflow the call stack. */
export function sizeOf(spec: unknown): SpecSize {
  const size: SpecSize = { total: 0, core: 0, depth: 0 }
  const stack: PendingValue[] = []
  const count = (value: unknown, inBulk: boolean, depth: number) => {
    const open = typeof value === 'object' && value !== null
    if (open) stack.push({ value, bulk: inBulk, depth })
    const bytes = open ? 2 : typeof value === 'string' ? Buffer.byteLength(value) + 2 : String(value).length
    size.total += bytes
    if (!inBulk) size.core += bytes
  }
  count(spec, false, 1)
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { value, depth } = step
    size.depth = Math.max(size.depth, depth)
    let bytes = 0
    if (Array.isArray(value)) {
      for (const item of value) count(item, step.bulk, depth + 1)
      bytes = value.length
    } else {
      for (const [key, item] of Object.entries(value)) {
        count(item, step.bulk || bulk.has(key), depth + 1)
        bytes += key.length + 4
      }
    }
    size.total += bytes
    if (!step.bulk) size.core += bytes
  }
  return size
}
