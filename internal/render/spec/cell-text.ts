// Table cells, list items and the value of a Metric: conversion of their values to texts.
import { sanitizeText } from '../text/terminal-filter.ts'
import { appendPathKey, type IssueCollector, quoteValue } from './issues.ts'

/** Position of a value in the spec, and the collectors for its issues. */
export interface IssueContext {
  path: string
  element: string
  errors: IssueCollector
  warnings: IssueCollector
}

/**
 * Returns the text of a cell on one line. null becomes an empty text. Numbers and booleans become texts with
 * the warning `coerced`. Any other value gives the error `bad_prop`, or `unsupported_dynamic` for a binding,
 * and an empty text.
 */
export function cellText(value: unknown, where: () => string, context: IssueContext): string {
  const coerced = countCoerced(context)
  const text = textOf(value, where, context, coerced)
  coerced.report()
  return text
}

/**
 * Collector of the numbers and booleans that became texts. `report` adds one warning for all cells
 * of an element.
 */
interface CoercionCounter {
  add(value: unknown, where: () => string): void
  report(): void
}

function countCoerced({ warnings, element }: IssueContext): CoercionCounter {
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

function textOf(
  value: unknown,
  where: () => string,
  context: IssueContext,
  coerced: CoercionCounter,
): string {
  if (typeof value === 'string') return sanitizeText(value)
  if (value === null) return ''
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    coerced.add(value, where)
    return String(value)
  }
  const wrong = isDynamic(value) ? 'unsupported_dynamic' : 'bad_prop'
  context.errors.add(wrong, where(), describeCellFault(value), context.element)
  return ''
}

const describeCellFault = (value: unknown) =>
  isDynamic(value) ? 'bindings to state are not supported' : `must be a string, got ${quoteValue(value)}`

/**
 * Returns one text per column for each row of a table, in the order of the columns. A missing value gives an
 * empty text. A row that is not an object gives only empty texts, and an error. A key that no column has
 * gives one warning.
 */
export function cellMatrix(
  rows: readonly unknown[],
  keys: readonly string[],
  context: IssueContext,
): string[][] {
  const columnKeys = new Set(keys)
  const ignored = new Set<string>()
  const coerced = countCoerced(context)
  const texts = rows.map((row, r) => {
    const path = () => appendPathKey(context.path, r)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      context.errors.add('bad_prop', path(), `must be an object, got ${quoteValue(row)}`, context.element)
      return keys.map(() => '')
    }
    for (const key in row) {
      if (columnKeys.has(key) || ignored.has(key)) continue
      ignored.add(key)
      context.warnings.add(
        'unknown_prop',
        appendPathKey(path(), key),
        'no column has this key',
        context.element,
      )
    }
    return keys.map((key) => {
      if (!Object.hasOwn(row, key)) return ''
      const value = (row as Record<string, unknown>)[key]
      return textOf(value, () => appendPathKey(path(), key), context, coerced)
    })
  })
  coerced.report()
  return texts
}

export function cellList(items: readonly unknown[], context: IssueContext): string[] {
  const coerced = countCoerced(context)
  const texts = items.map((item, i) => textOf(item, () => appendPathKey(context.path, i), context, coerced))
  coerced.report()
  return texts
}

/**
 * Returns true if the value is a binding, such as `{"$state": "/x"}`. Other renderers replace a binding by a
 * value, this one cannot.
 */
export function isDynamic(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return bindings.some((name) => Object.hasOwn(value, name))
}

const bindings = ['$state', '$bindState', '$item', '$bindItem', '$index', '$cond', '$computed', '$template']
