// Table cells, list items and the value of a Metric: what is not a text becomes one, or is refused.
import { clean } from './clean.ts'
import { at, type Issues, quote } from './issue.ts'

/** Where values are looked at and problems go. */
export interface Place {
  path: string
  element: string
  errors: Issues
  warnings: Issues
}

/**
 * The text of a cell on one line. null is an empty one, numbers and booleans become texts with the warning
 * `coerced`, all else is the error `bad_prop`.
 */
export function cellText(value: unknown, where: () => string, place: Place): string {
  const coerced = countCoerced(place)
  const text = textOf(value, where, place, coerced)
  coerced.report()
  return text
}

/** Notes what became a text: one warning says it for all cells of an element. */
interface Coerced {
  add(value: unknown, where: () => string): void
  report(): void
}

function countCoerced({ warnings, element }: Place): Coerced {
  let count = 0
  let path = ''
  let first: unknown
  return {
    add(value, where) {
      if (count++ > 0) return
      first = value
      path = where()
    },
    report() {
      const more = count > 1 ? `, and so did ${count - 1} more` : ''
      if (count > 0) warnings.add('coerced', path, `${first} became a string${more}`, element)
    },
  }
}

function textOf(value: unknown, where: () => string, place: Place, coerced: Coerced): string {
  if (typeof value === 'string') return clean(value)
  if (value === null) return ''
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    coerced.add(value, where)
    return String(value)
  }
  const wrong = isDynamic(value) ? 'unsupported_dynamic' : 'bad_prop'
  place.errors.add(wrong, where(), expected(value), place.element)
  return ''
}

const expected = (value: unknown) =>
  isDynamic(value) ? 'bindings to state are not supported' : `must be a string, got ${quote(value)}`

/** The rows of a table as one text for each column, in the order of the columns. */
export function cellMatrix(rows: readonly unknown[], keys: readonly string[], place: Place): string[][] {
  const known = new Set(keys)
  const ignored = new Set<string>()
  const coerced = countCoerced(place)
  const texts = rows.map((row, r) => {
    const path = () => at(place.path, r)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      place.errors.add('bad_prop', path(), `must be an object, got ${quote(row)}`, place.element)
      return keys.map(() => '')
    }
    for (const key in row) {
      if (known.has(key) || ignored.has(key)) continue
      ignored.add(key)
      place.warnings.add('unknown_prop', at(path(), key), 'no column has this key', place.element)
    }
    return keys.map((key) => {
      if (!Object.hasOwn(row, key)) return ''
      const value = (row as Record<string, unknown>)[key]
      return textOf(value, () => at(path(), key), place, coerced)
    })
  })
  coerced.report()
  return texts
}

export function cellList(items: readonly unknown[], place: Place): string[] {
  const coerced = countCoerced(place)
  const texts = items.map((item, i) => textOf(item, () => at(place.path, i), place, coerced))
  coerced.report()
  return texts
}

/** Objects that other renderers of these components read from a state: `{"$state": "/x"}` and its relatives. */
export function isDynamic(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return bindings.some((name) => Object.hasOwn(value, name))
}

const bindings = ['$state', '$bindState', '$item', '$bindItem', '$index', '$cond', '$computed', '$template']
