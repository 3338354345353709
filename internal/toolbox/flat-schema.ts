// Flat schemas, which every endpoint supports: plain types by parameter, and lists of objects
// with plain types.
import { UserError } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'

const unions = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref'] as const

/**
 * Returns the schema unchanged, or undefined if `schema` is undefined or null. Throws UserError for a schema
 * that is not of type object or not flat.
 */
export function checkFlatSchema(schema: unknown): unknown {
  if (schema === undefined || schema === null) return undefined
  if (!isObject(schema) || schema.type !== 'object')
    throw new UserError('has an input_schema that is not of type object')
  checkParameters(schema, '')
  return schema
}

function checkParameters(schema: Record<string, unknown>, below: string): void {
  checkPlain(schema, below || 'it')
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    const where = `${below}${name}`
    if (!isObject(property)) throw notFlat(where, 'is not a schema')
    checkPlain(property, where)
    const { items } = property
    if (isObject(property.properties)) throw notFlat(where, 'is an object with fields')
    if (items !== undefined && property.type !== 'array') throw notFlat(where, 'has items and is not a list')
    if (!isObject(items)) continue
    checkPlain(items, `${where}[]`)
    if (items.type === 'array') throw notFlat(where, 'is a list of lists')
    if (below !== '' && isObject(items.properties)) throw notFlat(where, 'is a list of objects in a list')
    if (isObject(items.properties)) checkParameters(items, `${where}[].`)
  }
}

function checkPlain(schema: Record<string, unknown>, where: string): void {
  const union = unions.find((word) => schema[word] !== undefined)
  if (union) throw notFlat(where, `has ${union}`)
  if (Array.isArray(schema.type)) throw notFlat(where, 'has several types')
}

const notFlat = (where: string, why: string) =>
  new UserError(`has an input_schema that is not flat: ${where} ${why}`)
