// The properties of one element: their check by schema, with a message for each problem.

import type * as z from 'zod/mini'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { isObject } from '../../base/untrusted-json.ts'
import { colorHint, isColor } from '../text/color.ts'
import { cellList, cellMatrix, cellText, type IssueContext, isDynamic } from './cell-text.ts'
import { appendPathKey, quoteValue } from './issues.ts'
import { type ComponentProps, type ComponentType, componentSchemas, listItemSchemas } from './props.ts'

/**
 * Returns the parsed properties, which are unusable if an error was reported. Each property is parsed by its
 * own schema, because most elements have few of the possible ones.
 */
export function checkProps(
  type: ComponentType,
  props: Record<string, unknown>,
  context: IssueContext,
): unknown {
  const { shape } = componentSchemas[type].def as { shape: Record<string, z.ZodMiniType> }
  const clean: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(props)) {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (!schema) reportUnknown(type, key, Object.keys(shape), context)
    else if (isDynamic(value)) {
      const message = 'bindings to state are not supported'
      context.errors.add('unsupported_dynamic', appendPathKey(context.path, key), message, context.element)
    } else if (value !== undefined && (value !== null || !isOptional(schema))) {
      const parsed = schema.safeParse(value, { reportInput: true })
      if (parsed.success) clean[key] = parsed.data
      else reportAll(parsed.error.issues, { ...context, path: appendPathKey(context.path, key) })
    }
  }
  for (const key of requiredOf(type, shape)) {
    if (props[key] === undefined)
      context.errors.add('missing_prop', appendPathKey(context.path, key), 'is required', context.element)
  }
  checkList(type, props, clean, context)
  checkCells(type, props, clean, context)
  checkColors(props, context)
  if (type === 'ProgressBar') checkProgress(clean, context)
  return clean
}

const isOptional = (schema: z.ZodMiniType) => schema.def.type === 'optional'

const required = new Map<ComponentType, readonly string[]>()

function requiredOf(type: ComponentType, shape: Record<string, z.ZodMiniType>): readonly string[] {
  const cachedKeys = required.get(type)
  if (cachedKeys) return cachedKeys
  const keys = Object.keys(shape).filter((key) => !isOptional(shape[key] as z.ZodMiniType))
  required.set(type, keys)
  return keys
}

function reportUnknown(
  type: ComponentType,
  key: string,
  propNames: readonly string[],
  context: IssueContext,
): void {
  // Beyond 100, warnings are only counted and not shown, so they need no hint.
  const hint = context.warnings.count() < 100 ? suggestNames(key.slice(0, 40), propNames, 1) : ''
  const message = `${type} has no such property${hint && `, ${hint}`}`
  context.warnings.add('unknown_prop', appendPathKey(context.path, key), message, context.element)
}

/** Number of invalid items of a list after which the rest of the list is not checked. */
const hopeless = 1000

/**
 * Checks the list of a component whose items are objects or numbers, item by item, and stores the valid items
 * in `out`. zod collects the problems of a whole list in the arguments of one call, so several hundred
 * thousand invalid items would exceed the stack.
 */
function checkList(
  type: ComponentType,
  raw: Record<string, unknown>,
  out: Record<string, unknown>,
  context: IssueContext,
): void {
  if (!(type in listItemSchemas)) return
  const { key, schema } = listItemSchemas[type as keyof typeof listItemSchemas]
  const items = raw[key]
  if (!Array.isArray(items)) return
  const path = appendPathKey(context.path, key)
  const good: unknown[] = []
  for (let i = 0; i < items.length && i - good.length < hopeless; i++) {
    const parsed = schema.safeParse(items[i], { reportInput: true })
    if (parsed.success) good.push(parsed.data)
    else reportAll(parsed.error.issues, { ...context, path: appendPathKey(path, i) })
  }
  out[key] = good
}

/** Converts table rows, list items and the value of a Metric to texts, and stores them in `out`. */
function checkCells(
  type: ComponentType,
  raw: Record<string, unknown>,
  out: Record<string, unknown>,
  context: IssueContext,
): void {
  const inside = (key: string) => ({ ...context, path: appendPathKey(context.path, key) })
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

function checkMetric(
  raw: Record<string, unknown>,
  out: Record<string, unknown>,
  context: IssueContext,
): void {
  const { value } = raw
  if (value === null)
    context.errors.add('bad_prop', context.path, 'must be a string, got null', context.element)
  else if (value !== undefined && !isDynamic(value))
    out['value'] = cellText(value, () => context.path, context)
}

const colorKeys = ['color', 'backgroundColor', 'borderColor', 'labelColor', 'headerColor']

function checkColors(props: Record<string, unknown>, context: IssueContext): void {
  for (const key of colorKeys) checkColor(props[key], appendPathKey(context.path, key), context)
  const { data } = props
  if (!Array.isArray(data)) return
  for (const [i, item] of data.entries()) {
    if (isObject(item))
      checkColor(
        item['color'],
        appendPathKey(appendPathKey(appendPathKey(context.path, 'data'), i), 'color'),
        context,
      )
  }
}

function checkColor(color: unknown, path: string, context: IssueContext): void {
  if (typeof color !== 'string' || isColor(color)) return
  context.warnings.add(
    'bad_color',
    path,
    `${quoteValue(color)} is not a color; ${colorHint()}`,
    context.element,
  )
}

function checkProgress(props: Record<string, unknown>, context: IssueContext): void {
  const { progress } = props as ComponentProps['ProgressBar']
  if (typeof progress !== 'number' || (progress >= 0 && progress <= 1)) return
  const near = Math.min(1, Math.max(0, progress))
  props['progress'] = near
  context.warnings.add(
    'clamped',
    appendPathKey(context.path, 'progress'),
    `${progress} was taken as ${near}`,
    context.element,
  )
}

function reportAll(issues: readonly z.core.$ZodIssue[], context: IssueContext): void {
  for (const issue of issues) {
    const path = issue.path.reduce<string>(
      (so, key) => appendPathKey(so, key as string | number),
      context.path,
    )
    if (issue.input === undefined) context.errors.add('missing_prop', path, 'is required', context.element)
    else context.errors.add('bad_prop', path, describeIssue(issue), context.element)
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const got = `got ${quoteValue(issue.input)}`
  switch (issue.code) {
    case 'invalid_type': {
      const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a'
      return `must be ${article} ${issue.expected === 'number' ? 'finite number' : issue.expected}, ${got}`
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      const hint = typeof issue.input === 'string' ? suggestNames(issue.input.slice(0, 40), values, 1) : ''
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
