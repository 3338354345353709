// A tool's JSON Schema as table rows for users: parameter, type, whether it is required, default, and meaning
// with the limit and the allowed values.

interface ParameterRow {
  name: string
  type: string
  required: boolean
  default: string
  about: string
}

type JsonObject = Record<string, unknown>

/**
 * Returns the parameters of a flat object schema in the order of declaration. Fields of list items follow
 * with the name `name[].field`.
 */
export function listParameters(schema: JsonObject, prefix = ''): ParameterRow[] {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  return Object.entries((schema.properties as Record<string, JsonObject> | undefined) ?? {}).flatMap(
    ([name, field]) => {
      const items = field.items as JsonObject | undefined
      const nested = items?.type === 'object' ? listParameters(items, `${prefix}${name}[].`) : []
      const row: ParameterRow = {
        name: `${prefix}${name}`,
        type: typeOf(field),
        required: required.has(name),
        default:
          field.default === undefined ? '' : String(JSON.stringify(field.default)).replace(/^"(.*)"$/, '$1'),
        about: describeField(field),
      }
      return [row, ...nested]
    },
  )
}

function typeOf(field: JsonObject): string {
  const type = String(field.type ?? 'any')
  if (type !== 'array') return type
  return `${String((field.items as JsonObject | undefined)?.type ?? 'any')}[]`
}

function describeField(field: JsonObject): string {
  const values = field.enum as string[] | undefined
  const parts = [field.description as string | undefined]
  if (values) parts.push(`one of ${values.join(', ')}`)
  return parts.filter((part) => part !== undefined && part !== '').join('; ')
}
