// The properties of one element: parsed by their schema, every problem in words.
import type * as z from 'zod/mini'
import { suggestion } from '../base/nearest.ts'
import { cellList, cellMatrix, cellText, isDynamic, type Place } from './cell.ts'
import { at, isObject, quote } from './issue.ts'
import { colorHint, isColor } from './paint.ts'
import { type Props, parts, schemas, type Type } from './props.ts'

/**
 * The parsed properties; of no use when errors were reported. Each property that is there is parsed by its own
 * schema: most elements have few of the many they could have.
 */
export function checkProps(type: Type, props: Record<string, unknown>, place: Place): unknown {
  const { shape } = schemas[type].def as { shape: Record<string, z.ZodMiniType> }
  const clean: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(props)) {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (!schema) reportUnknown(type, key, Object.keys(shape), place)
    else if (isDynamic(value)) {
      const message = 'bindings to state are not supported'
      place.errors.add('unsupported_dynamic', at(place.path, key), message, place.element)
    } else if (value !== undefined && (value !== null || !isOptional(schema))) {
      const parsed = schema.safeParse(value, { reportInput: true })
      if (parsed.success) clean[key] = parsed.data
      else reportAll(parsed.error.issues, { ...place, path: at(place.path, key) })
    }
  }
  for (const key of requiredOf(type, shape)) {
    if (props[key] === undefined)
      place.errors.add('missing_prop', at(place.path, key), 'is required', place.element)
  }
  checkList(type, props, clean, place)
  checkCells(type, props, clean, place)
  checkColors(props, place)
  if (type === 'ProgressBar') checkProgress(clean, place)
  return clean
}

const isOptional = (schema: z.ZodMiniType) => schema.def.type === 'optional'

const required = new Map<Type, readonly string[]>()

function requiredOf(type: Type, shape: Record<string, z.ZodMiniType>): readonly string[] {
  const known = required.get(type)
  if (known) return known
  const keys = Object.keys(shape).filter((key) => !isOptional(shape[key] as z.ZodMiniType))
  required.set(type, keys)
  return keys
}

function reportUnknown(type: Type, key: string, known: readonly string[], place: Place): void {
  // what is not listed any more need not be compared
  const hint = place.warnings.count() < 100 ? suggestion(key.slice(0, 40), known, 1) : ''
  const message = `${type} has no such property${hint && `, ${hint}`}`
  place.warnings.add('unknown_prop', at(place.path, key), message, place.element)
}

/** A list with more bad items than this is not looked at further. */
const hopeless = 1000

/**
 * Lists of objects and numbers, item by item: zod gathers the problems of a whole list in one call's arguments,
 * and a list of some hundred thousand bad items would exceed the program's stack.
 */
function checkList(
  type: Type,
  raw: Record<string, unknown>,
  out: Record<string, unknown>,
  place: Place,
): void {
  if (!(type in parts)) return
  const { key, schema } = parts[type as keyof typeof parts]
  const items = raw[key]
  if (!Array.isArray(items)) return
  const path = at(place.path, key)
  const good: unknown[] = []
  for (let i = 0; i < items.length && i - good.length < hopeless; i++) {
    const parsed = schema.safeParse(items[i], { reportInput: true })
    if (parsed.success) good.push(parsed.data)
    else reportAll(parsed.error.issues, { ...place, path: at(path, i) })
  }
  out[key] = good
}

/** Table rows, list items and the value of a Metric become texts. */
function checkCells(
  type: Type,
  raw: Record<string, unknown>,
  out: Record<string, unknown>,
  place: Place,
): void {
  const inside = (key: string) => ({ ...place, path: at(place.path, key) })
  if (type === 'Table' && Array.isArray(raw['rows'])) {
    const columns = Array.isArray(raw['columns']) ? raw['columns'] : []
    const keys = columns.map((column) => (isObject(column) ? String(column['key']) : ''))
    out['rows'] = cellMatrix(raw['rows'], keys, inside('rows'))
  } else if (type === 'List' && Array.isArray(raw['items'])) {
    out['items'] = cellList(raw['items'], inside('items'))
  } else if (type === 'Metric') {
    checkMetric(raw, out, inside('value'))
  }
}

function checkMetric(raw: Record<string, unknown>, out: Record<string, unknown>, place: Place): void {
  const { value } = raw
  if (value === null) place.errors.add('bad_prop', place.path, 'must be a string, got null', place.element)
  else if (value !== undefined && !isDynamic(value)) out['value'] = cellText(value, () => place.path, place)
}

const colorKeys = ['color', 'backgroundColor', 'borderColor', 'labelColor', 'headerColor']

function checkColors(props: Record<string, unknown>, place: Place): void {
  for (const key of colorKeys) checkColor(props[key], at(place.path, key), place)
  const { data } = props
  if (!Array.isArray(data)) return
  for (const [i, item] of data.entries()) {
    if (isObject(item)) checkColor(item['color'], at(at(at(place.path, 'data'), i), 'color'), place)
  }
}

function checkColor(color: unknown, path: string, place: Place): void {
  if (typeof color !== 'string' || isColor(color)) return
  place.warnings.add('bad_color', path, `${quote(color)} is no colour; ${colorHint}`, place.element)
}

function checkProgress(props: Record<string, unknown>, place: Place): void {
  const { progress } = props as Props['ProgressBar']
  if (typeof progress !== 'number' || (progress >= 0 && progress <= 1)) return
  const near = Math.min(1, Math.max(0, progress))
  props['progress'] = near
  place.warnings.add('clamped', at(place.path, 'progress'), `${progress} was taken as ${near}`, place.element)
}

function reportAll(issues: readonly z.core.$ZodIssue[], place: Place): void {
  for (const issue of issues) {
    const path = issue.path.reduce<string>((so, key) => at(so, key as string | number), place.path)
    if (issue.input === undefined) place.errors.add('missing_prop', path, 'is required', place.element)
    else place.errors.add('bad_prop', path, wording(issue), place.element)
  }
}

function wording(issue: z.core.$ZodIssue): string {
  const got = `got ${quote(issue.input)}`
  switch (issue.code) {
    case 'invalid_type': {
      const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a'
      return `must be ${article} ${issue.expected === 'number' ? 'finite number' : issue.expected}, ${got}`
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      const hint = typeof issue.input === 'string' ? suggestion(issue.input.slice(0, 40), values, 1) : ''
      return `must be one of ${values.join(', ')}, ${got}${hint && `; ${hint}`}`
    }
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}, ${got}`
    case 'too_big':
      return `must be at most ${issue.maximum}, ${got}`
    default:
      return `${issue.message}, ${got}`
  }
}
