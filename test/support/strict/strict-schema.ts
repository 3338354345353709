// Tool schemas that the strictest endpoints reject, one line per fault.

// biome-ignore lint/suspicious/noExplicitAny: a schema may be anything
type Json = any

const keyForm = /^[A-Za-z0-9_.-]{1,64}$/
const types = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])
const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds the faults of the schema of a whole argument list. */
export function schemaFaults(schema: Json): string[] {
  if (!isObject(schema)) return ['the schema is not an object']
  const faults = schema.type === 'object' ? [] : ['the schema is not of type object']
  if (!isObject(schema.properties)) faults.push('the schema has no properties')
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'])
    if (key in schema) faults.push(`${key} at the top`)
  return [...faults, ...partFaults(schema, '')]
}

function partFaults(part: Json, at: string): string[] {
  if (!isObject(part)) return [`${at || '.'}: not a schema`]
  const faults: string[] = []
  const list = Array.isArray(part.type) ? part.type : [part.type]
  if ('type' in part && !(list.length > 0 && list.every((type: Json) => types.has(type))))
    faults.push(`${at}: type ${JSON.stringify(part.type)}`)
  for (const key of [
    '$ref',
    '$dynamicRef',
    '$recursiveRef',
    '$defs',
    'definitions',
    '$schema',
    '$id',
    'id',
    'const',
  ])
    if (key in part) faults.push(`${at}: ${key}`)
  if (list.includes('array') && !isObject(part.items)) faults.push(`${at}: array without items`)
  for (const key of ['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum'])
    if (key in part && typeof part[key] !== 'number') faults.push(`${at}: ${key} is not a number`)
  if ('description' in part && typeof part.description !== 'string')
    faults.push(`${at}: description is not a text`)
  faults.push(...choiceFaults(part, list, at), ...propertyFaults(part, at))
  for (const key of [
    'items',
    'additionalProperties',
    'propertyNames',
    'not',
    'contains',
    'if',
    'then',
    'else',
  ])
    if (isObject(part[key])) faults.push(...partFaults(part[key], `${at}/${key}`))
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    if (key in part) faults.push(...listFaults(part[key], `${at}/${key}`))
  for (const key of ['patternProperties', 'dependentSchemas'])
    for (const [name, one] of Object.entries(part[key] ?? {}))
      faults.push(...partFaults(one, `${at}/${key}/${name}`))
  return faults
}

function listFaults(list: Json, at: string): string[] {
  if (!Array.isArray(list) || list.length === 0) return [`${at}: not a list`]
  return list.flatMap((one: Json, i: number) => partFaults(one, `${at}[${i}]`))
}

function choiceFaults({ type, enum: choices }: Json, list: string[], at: string): string[] {
  if (choices === undefined) return []
  if (!Array.isArray(choices) || choices.length === 0) return [`${at}: empty enum`]
  const faults =
    new Set(choices.map((one: Json) => JSON.stringify(one))).size < choices.length
      ? [`${at}: enum twice`]
      : []
  const fits = (value: Json) => type === undefined || list.some((one) => isOf(value, one))
  return choices.every(fits) ? faults : [...faults, `${at}: enum against its type`]
}

function isOf(value: Json, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

function propertyFaults({ properties, required }: Json, at: string): string[] {
  const faults: string[] = []
  if (properties !== undefined && !isObject(properties)) return [`${at}: properties`]
  for (const [name, one] of Object.entries(properties ?? {})) {
    if (!keyForm.test(name)) faults.push(`${at}: the key ${JSON.stringify(name)}`)
    faults.push(...partFaults(one, `${at}/${name}`))
  }
  if (required === undefined) return faults
  if (!Array.isArray(required)) return [...faults, `${at}: required is not a list`]
  if (new Set(required).size < required.length) faults.push(`${at}: required twice`)
  for (const name of required)
    if (!Object.hasOwn(properties ?? {}, name)) faults.push(`${at}: required ${JSON.stringify(name)}`)
  return faults
}
