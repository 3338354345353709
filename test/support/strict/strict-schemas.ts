// Schemas of tools as servers, plugins and toolboxes write them, each with one thing that some endpoint refuses.

type Json = Record<string, unknown>

const text = { type: 'string' }

/** Parts that are odd wherever they occur. */
const odd: Readonly<Record<string, unknown>> = {
  'an array without items': { type: 'array' },
  'items of an array without items': { type: 'array', items: { type: 'array' } },
  'a list of items': { type: 'array', items: [text, { type: 'number' }] },
  'prefix items': { type: 'array', prefixItems: [text, { type: 'array' }] },
  'a const': { const: 'a' },
  'a const of another type': { type: 'string', const: 7 },
  'an enum against its type': { type: 'null', enum: ['A'] },
  'an enum of several types': { type: 'string', enum: ['a', 1, null] },
  'an empty enum': { type: 'string', enum: [] },
  'an enum twice': { enum: ['a', 'a', { b: 1 }, { b: 1 }] },
  'bounds of draft 4': {
    type: 'integer',
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 9,
    exclusiveMaximum: false,
  },
  'bounds as text': { type: 'integer', minimum: '1', maxLength: null },
  'an unknown type': { type: 'colour' },
  'a type in capitals': { type: 'STRING' },
  'types in capitals': { type: ['STRING', 'NULL', 'ANY'] },
  'no types': { type: [] },
  'an odd key': {
    type: 'object',
    properties: { $top: text, 'filter[id]': text, 'a b': text },
    required: ['$top'],
  },
  'a long key': { type: 'object', properties: { ['k'.repeat(80)]: text } },
  'a key without letters': { type: 'object', properties: { '': text, '€': text } },
  'required that is not there': { type: 'object', properties: { a: text }, required: ['b', 'a', 'a'] },
  'required of draft 3': { type: 'object', properties: { a: { type: 'string', required: true } } },
  'properties that are a list': { type: 'object', properties: [] },
  'a boolean schema': true,
  'null as schema': null,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  'if and then': { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] }, else: false },
  'a pattern of properties': {
    type: 'object',
    patternProperties: { '^x': { type: 'array' } },
    additionalProperties: false,
  },
  'names of properties': {
    type: 'object',
    propertyNames: { const: 'a' },
    additionalProperties: { type: 'array' },
  },
  not: { not: { type: 'array' } },
  contains: { type: 'array', contains: { const: 1 }, items: { type: 'array' } },
  'a description that is not a text': { type: 'string', description: ['a'], title: 7, format: null },
  'an empty union': { anyOf: [], oneOf: 'x', allOf: null },
  'a reference': { $ref: '#/$defs/A' },
  'a reference to itself': { $ref: '#/$defs/Node' },
  'a reference that leads nowhere': { $ref: '#/$defs/None' },
  'a reference elsewhere': { $ref: 'https://example.org/a.json' },
  'an odd reference': { $ref: '#/$defs/%' },
  'a dynamic reference': { $dynamicRef: '#A', $comment: 'x', $anchor: 'a', id: 'urn:x' },
}

const definitions = {
  A: { type: 'array' },
  Node: {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } }, v: { const: 1 } },
  },
}

/** The places of a schema that can hold a part. */
const places: Readonly<Record<string, (part: unknown) => Json>> = {
  'a property': (part) => ({ type: 'object', properties: { p: part } }),
  anyOf: (part) => ({ type: 'object', properties: { p: { anyOf: [text, part] } } }),
  'oneOf of items': (part) => ({
    type: 'object',
    properties: { p: { type: 'array', items: { oneOf: [part] } } },
  }),
  allOf: (part) => ({ type: 'object', properties: { p: { allOf: [part, { description: 'x' }] } } }),
  additionalProperties: (part) => ({
    type: 'object',
    properties: { p: { type: 'object', additionalProperties: part } },
  }),
  propertyNames: (part) => ({ type: 'object', properties: { p: { type: 'object', propertyNames: part } } }),
  'a union at the top': (part) => ({
    oneOf: [{ properties: { p: part }, required: ['p'] }, { properties: { q: text } }],
  }),
}

const wholes: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'an empty object': {},
  'only a type': { type: 'object' },
  'a union of types': { type: ['object', 'null'], properties: { a: text } },
  'a reference at the top': { $ref: '#/$defs/Node', $defs: definitions },
  'enum, not and const at the top': { type: 'object', properties: {}, enum: [{}], not: {}, const: {} },
  'a property called properties': {
    type: 'object',
    properties: { properties: text, definitions: text, required: text, $ref: text },
  },
  'a property called __proto__': JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
}

/** All of them: title and schema. */
export const schemaRows: readonly (readonly [string, unknown])[] = [
  ...Object.entries(wholes),
  ...Object.entries(odd).flatMap(([what, part]) =>
    Object.entries(places).map(
      ([where, place]) => [`${what} in ${where}`, { ...place(part), $defs: definitions }] as const,
    ),
  ),
]
