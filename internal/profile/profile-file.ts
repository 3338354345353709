// Parser of a profile file or a `profiles` entry of the configuration.
import { UserError } from '../base/errors.ts'
import { fileModelHint, fileModelMessage, namesFileModel } from '../base/text/file-model.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { Profile, ProfileLimits } from './profile.ts'

type ProfileFields = Readonly<Record<string, unknown>>
type FieldCheck = readonly [test: (value: unknown) => boolean, expected: string]

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isName = (value: unknown) => typeof value === 'string' && /^[a-z][a-z0-9_-]{0,63}$/.test(value)
const isGlob = (value: unknown) => typeof value === 'string' && /^!?[A-Za-z0-9_*?-]+$/.test(value)
const isFlag = (value: unknown) => typeof value === 'boolean'
const isPositive = (value: unknown) => typeof value === 'number' && value > 0 && Number.isFinite(value)
const isCount = (value: unknown) => isPositive(value) && Number.isSafeInteger(value)
const isListOf = (value: unknown, test: (value: unknown) => boolean) =>
  Array.isArray(value) && value.every(test)

const name = 'lower case letters, digits, - and _, beginning with a letter'
const checks: Readonly<Record<string, FieldCheck>> = {
  name: [isName, name],
  aliases: [(v) => isListOf(v, isName), `a list of names (${name})`],
  about: [isText, 'one line of text'],
  tools: [(v) => isListOf(v, isGlob) && (v as []).length > 0, 'a list of tool names or globs such as mcp__*'],
  readOnly: [isFlag, 'true or false'],
  maxTurns: [isCount, 'a whole number from 1'],
  effort: [
    (v) => Number.isInteger(v) && Number(v) >= 0 && Number(v) <= 6,
    'a whole number from 0 (none) to 6 (max)',
  ],
  limits: [isObject, 'an object'],
  model: [(v) => isText(v) || isListOf(v, isText), 'provider/model, or a list of them'],
  toolset: [isText, 'the name of a toolset'],
  until: [(v) => isText(v) || isListOf(v, isText), 'a command, or a list of them'],
  serves: [(v) => isListOf(v, isText), 'a list of tool names'],
  default: [isFlag, 'true or false'],
  prompt: [isText, 'text'],
}
const limitChecks: Readonly<Record<keyof ProfileLimits, FieldCheck>> = {
  toolCalls: [isCount, 'a whole number from 1'],
  seconds: [isPositive, 'a number above 0'],
  tokens: [isCount, 'a whole number from 1'],
  usd: [isPositive, 'a number above 0'],
}

/** Values of keys that a profile file does not set. */
const defaults = { aliases: [], serves: [], readOnly: false, maxTurns: 20, effort: 3, limits: {} }

type ProfilePlace = Pick<Profile, 'name' | 'origin' | 'path'>

/**
 * Parses a profile file named `<name>.md`. Throws UserError for invalid frontmatter or a key `prompt`, else
 * with all problems in one message.
 */
export async function parseProfile(text: string, place: ProfilePlace): Promise<Profile> {
  const { fields, body } = await readFrontmatter(text)
  if (Object.hasOwn(fields, 'prompt')) {
    throw new UserError('the prompt of a profile file is the text below the frontmatter, not a key')
  }
  // Skills and agent files of other programs call this key `description`.
  const { description, ...rest } = fields
  const named = description === undefined || 'about' in rest ? fields : { ...rest, about: description }
  return readProfile({ ...named, prompt: body }, place)
}

/**
 * Returns a profile made of parsed keys. Keys that are not set come from `base` (the profile that this one
 * changes), else from the defaults. Throws UserError with all problems.
 */
export function readProfile(fields: ProfileFields, place: ProfilePlace, base?: Profile): Profile {
  const problems = findFaults(fields, checks)
  if (isName(fields.name) && fields.name !== place.name) {
    problems.push(`name is ${String(fields.name)}, but it is loaded as ${place.name}; make them equal`)
  }
  if (!isName(place.name)) problems.push(`${place.name} is not a name for a profile: ${name}`)
  const limits = fields.limits
  if (checks.limits?.[0](limits))
    problems.push(...findFaults(limits as ProfileFields, limitChecks, 'limits.'))
  for (const key of base ? [] : ['about', 'tools', 'prompt']) {
    if (fields[key] === undefined) problems.push(`${key} is missing`)
  }
  if (fields.prompt === '' && !base) problems.push('the text below the frontmatter is missing')
  const { model } = fields
  const models = Array.isArray(model) ? { model: model.join(',') } : {}
  const spec = models.model ?? model
  const checked = typeof fields.until === 'string' ? { until: [fields.until] } : {}
  if (place.origin === 'workspace' && typeof spec === 'string' && namesFileModel(spec))
    problems.push(`${fileModelMessage(spec, 'a profile of a workspace')}; ${fileModelHint}`)
  if (problems.length > 0) throw new UserError(problems.join('; '))
  return { ...defaults, ...base, ...(fields as unknown as Profile), ...models, ...checked, ...place }
}

function findFaults(
  fields: ProfileFields,
  fieldChecks: Readonly<Record<string, FieldCheck>>,
  prefix = '',
): string[] {
  const messages: string[] = []
  for (const [key, value] of Object.entries(fields)) {
    const check = Object.hasOwn(fieldChecks, key) ? fieldChecks[key] : undefined
    if (!check) {
      const near = suggestNames(key, Object.keys(fieldChecks), 1)
      messages.push(
        `unknown key ${prefix}${key}, ${near || `known are ${Object.keys(fieldChecks).join(', ')}`}`,
      )
    } else if (!check[0](value) && !(key === 'prompt' && value === '')) {
      messages.push(`${prefix}${key} must be ${check[1]}`)
    }
  }
  return messages
}
