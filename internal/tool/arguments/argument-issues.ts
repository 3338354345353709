// The description of invalid arguments in words, each with the description of its parameter.
import type * as z from 'zod/mini'
import { metaOf } from '../field.ts'

interface SchemaDefinition {
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
}

/**
 * Describes the problems of arguments that the library zod has found: position, expected value, and purpose
 * of the parameter.
 */
export function describeIssues(input: z.core.$ZodType, issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map((issue) => describeIssue(issue) + quoteAt(input, issue.path))
}

/**
 * Returns the description of a parameter in brackets, which helps the model to correct its call; empty
 * without a description.
 */
export function quoteDescription(schema: z.core.$ZodType | undefined): string {
  const description = schema && metaOf(schema)?.description
  return description ? ` (${description.replace(/\.$/, '')})` : ''
}

/**
 * Returns the description of the innermost described parameter on the path to a problem, in brackets;
 * empty without one.
 */
function quoteAt(input: z.core.$ZodType, path: readonly PropertyKey[]): string {
  let schema: z.core.$ZodType | undefined = input
  let quote = ''
  for (const key of path) {
    let def = schema?._zod.def as unknown as SchemaDefinition | undefined
    while (def?.innerType) def = def.innerType._zod.def as unknown as SchemaDefinition
    schema = typeof key === 'number' ? def?.element : def?.shape?.[String(key)]
    quote = quoteDescription(schema) || quote
  }
  return quote
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : joinPath(path, String(key))),
    '',
  )
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `missing required parameter ${where}`
        : `${where} must be ${addArticle(issue.expected)}, got ${kindOf(issue.input)}`
    case 'invalid_value':
      return issue.input === undefined
        ? `missing required parameter ${where}`
        : `${where} must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return `${where} must ${describeSize(issue.origin, leastWords(issue.inclusive), Number(issue.minimum))}`
    case 'too_big':
      return `${where} must ${describeSize(issue.origin, 'at most', Number(issue.maximum))}`
    case 'invalid_format':
      if (issue.message !== 'Invalid input') return `${where} ${issue.message}`
      return `${where} is not valid (invalid format)`
    case 'custom':
      return `${where}${where ? ': ' : ''}${issue.message}`
    default:
      return `${where} is not valid (${issue.code.replaceAll('_', ' ')})`
  }
}

const leastWords = (isIncluded: boolean | undefined) => (isIncluded === false ? 'more than' : 'at least')

function describeSize(origin: string, bound: string, n: number): string {
  if (origin === 'string') return `have ${bound} ${n} character${n === 1 ? '' : 's'}`
  if (origin === 'array') return `have ${bound} ${n} item${n === 1 ? '' : 's'}`
  return `be ${bound} ${n}`
}

const addArticle = (kind: string) => {
  const word = kind === 'int' ? 'integer' : kind === 'record' ? 'object' : kind
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : addArticle(typeof value)
