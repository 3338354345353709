// What a program or module says of the tool that it is: name, description, level and time limit, checked.

import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { type Level, levels } from '../policy/level.ts'

interface RecordedTool {
  name: string
  about: string
  level: Level
  /** How long a call may take. */
  seconds: number
}

interface RecordRules {
  /** Before the name, such as `tb__`. */
  prefix: string
  /** How long a call may take when the record does not say. */
  seconds: number
  /** What a workspace brings is confirm_execute whatever it says of itself. */
  isWorkspaces: boolean
}

/** The longest a program may ask for, in seconds. */
const maxTimeoutSeconds = 3600

/** Throws UserError for a record that cannot be used. */
export function readToolRecord(
  described: Readonly<Record<string, unknown>>,
  { prefix, seconds, isWorkspaces }: RecordRules,
): RecordedTool {
  const { name: declaredName, description, permission, timeout_seconds: asked } = described
  const name = nameOf(declaredName)
  if (typeof description !== 'string' || stripControlCharacters(description) === '')
    throw new UserError('has no description')
  const level = permission ?? 'confirm_execute'
  if (!levels.includes(level as Level)) {
    throw new UserError(
      `names an unknown permission ${JSON.stringify(permission)}; known: ${levels.join(', ')}`,
    )
  }
  // these levels are for tools that ask or start agents themselves; a program would pass every gate with them
  if (level === 'interactive' || level === 'delegated')
    throw new UserError(`may not have the permission ${level}`)
  if (asked !== undefined && !(typeof asked === 'number' && asked > 0)) {
    throw new UserError('has a timeout_seconds that is not a positive number')
  }
  return {
    name: `${prefix}${name}`,
    about: stripControlCharacters(description),
    level: isWorkspaces ? 'confirm_execute' : (level as Level),
    seconds: Math.min(asked ?? seconds, maxTimeoutSeconds),
  }
}

/** In lower case, with `_` for whatever may not stand in the name of a tool. */
function nameOf(declaredName: unknown): string {
  const plainName =
    typeof declaredName === 'string' &&
    declaredName
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '_')
      .replace(/^[_-]+|[_-]+$/g, '')
  if (plainName && /^[a-z]/.test(plainName) && plainName.length <= 60) return plainName
  const shown = JSON.stringify(declaredName)?.slice(0, 80) ?? 'none'
  throw new UserError(`has an unusable name (${shown}): a letter, then letters, digits, _ and -, at most 60`)
}
