// The checked record of a custom tool: name, description, permission level and time limit.

import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { type Level, levels } from '../policy/level.ts'

interface RecordedTool {
  name: string
  about: string
  level: Level
  /** Time limit of a call in seconds. */
  seconds: number
}

interface RecordRules {
  /** Prefix of the tool's name, such as `tb__`. */
  prefix: string
  /** Default time limit of a call in seconds. */
  seconds: number
  /**
   * True if the tool belongs to a workspace. Such a tool always has the level confirm_execute, regardless
   * of the record.
   */
  isWorkspaces: boolean
}

/** Largest time limit of a call, in seconds. */
const maxTimeoutSeconds = 3600

/** Returns the checked record of a tool. Throws UserError for an invalid record. */
export function readToolRecord(
  described: Readonly<Record<string, unknown>>,
  { prefix, seconds, isWorkspaces }: RecordRules,
): RecordedTool {
  const { name: declaredName, description, permission, timeout_seconds: requestedSeconds } = described
  const name = nameOf(declaredName)
  if (typeof description !== 'string' || stripControlCharacters(description) === '')
    throw new UserError('has no description')
  const level = permission ?? 'confirm_execute'
  if (!levels.includes(level as Level)) {
    throw new UserError(
      `names an unknown permission ${JSON.stringify(permission)}; known: ${levels.join(', ')}`,
    )
  }
  // These levels are for tools that ask the user or start agents themselves. A program with such a level
  // would avoid every approval.
  if (level === 'interactive' || level === 'delegated')
    throw new UserError(`may not have the permission ${level}`)
  if (requestedSeconds !== undefined && !(typeof requestedSeconds === 'number' && requestedSeconds > 0)) {
    throw new UserError('has a timeout_seconds that is not a positive number')
  }
  return {
    name: `${prefix}${name}`,
    about: stripControlCharacters(description),
    level: isWorkspaces ? 'confirm_execute' : (level as Level),
    seconds: Math.min(requestedSeconds ?? seconds, maxTimeoutSeconds),
  }
}

/**
 * Returns the name in lower case without accents, with one `_` for characters that a tool name may not
 * contain. Throws UserError if the result does not start with a letter or has more than 60 characters.
 */
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
  const displayName = JSON.stringify(declaredName)?.slice(0, 80) ?? 'none'
  throw new UserError(
    `has an unusable name (${displayName}): a letter, then letters, digits, _ and -, at most 60`,
  )
}
