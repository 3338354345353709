// The conversion of a native tool's result to the form of an adapter.
import { resolve } from 'node:path'
import { isObject } from '../base/untrusted-json.ts'
import type { ResultForm } from './toolset.ts'

/** Values to which placeholders of templates can refer. */
export interface ResultValues {
  args: Readonly<Record<string, unknown>>
  data: unknown
  raw: Readonly<Record<string, unknown>>
  text: string
  failure?: { message: string } | undefined
  /** Directory from which relative paths start. */
  cwd: string
  item?: unknown
}

const placeholder = /\{((?:args|data|raw|text|failure|item)(?:\.\w+)*)(?:\|(\w+))?\}/g

export function writeResult(form: ResultForm, values: ResultValues): string {
  if ('text' in form) {
    const text = fillTemplate(form.text, values)
    return text === '' ? fillTemplate(form.empty ?? '', values) : text
  }
  if ('json' in form) {
    return JSON.stringify(
      Object.fromEntries(
        Object.entries(form.json).map(([key, template]) => [key, templateValue(template, values)]),
      ),
    )
  }
  if ('list' in form) {
    const items = lookUpValue(form.list, values)
    const itemTexts = (Array.isArray(items) ? items : []).map((item) =>
      writeItem(form.item, { ...values, item }),
    )
    const heading = form.heading === undefined ? [] : [form.heading]
    const instead = itemTexts.length > 0 || form.empty === undefined ? [] : [fillTemplate(form.empty, values)]
    return [...heading, ...itemTexts, ...instead].join('\n\n')
  }
  return [...headLines(form.head, values), ...bodyLines(form.body ?? {}, values)].join('\n')
}

/** Returns the text with its placeholders replaced. A missing value becomes an empty text. */
export function fillTemplate(template: string, values: ResultValues): string {
  return template.replace(placeholder, (_, path: string, filter?: string) =>
    asText(applyFilter(lookUpValue(path, values), filter, values)),
  )
}

function writeItem(template: string, values: ResultValues): string {
  const says = (line: string) => {
    const matches = [...line.matchAll(placeholder)]
    return matches.length === 0 || matches.some(([, path = '']) => lookUpValue(path, values) != null)
  }
  return fillTemplate(template.split('\n').filter(says).join('\n'), values)
}

function headLines(head: Readonly<Record<string, string>>, values: ResultValues): string[] {
  return Object.entries(head).flatMap(([key, template]) => {
    const value = templateValue(template, values)
    return value === undefined || value === null ? [] : [`${key}: ${asText(value)}`]
  })
}

function bodyLines(body: Readonly<Record<string, string>>, values: ResultValues): string[] {
  return Object.entries(body).flatMap(([key, template]) => {
    const value = templateValue(template, values)
    const text = Array.isArray(value) ? value.map(asText).join('\n') : asText(value)
    return text === '' ? [] : [`${key}:`, text]
  })
}

/**
 * Returns the value of a template. A template that is a single placeholder keeps the type of its value.
 * Returns undefined if the values of all its placeholders are missing.
 */
function templateValue(template: string, values: ResultValues): unknown {
  const matches = [...template.matchAll(placeholder)]
  const isAbsent = ([, path = '']: RegExpMatchArray) => lookUpValue(path, values) === undefined
  if (matches.length > 0 && matches.every(isAbsent)) return undefined
  const [whole, path, filter] = matches[0] ?? []
  if (whole !== template || path === undefined) return fillTemplate(template, values)
  return applyFilter(lookUpValue(path, values), filter, values)
}

/** Returns the value at a path such as `data.x`; undefined if it is missing. */
export function lookUpValue(path: string, values: ResultValues): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      values,
    )
}

function applyFilter(value: unknown, filter: string | undefined, { cwd, args }: ResultValues): unknown {
  if (filter === 'absolute' && typeof value === 'string') return resolve(cwd, value)
  if (filter === 'absolute' && Array.isArray(value)) return value.map((one) => resolve(cwd, String(one)))
  if (filter === 'seconds' && typeof value === 'number') return value / 1_000
  if (filter !== 'cat_n' || typeof value !== 'string' || value === '') return value
  const first = typeof args.start_line === 'number' ? args.start_line : 1
  const lines = value.replace(/\n$/, '').split('\n')
  return lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n')
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
