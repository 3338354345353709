// Reads --relay and --relay-origin: the channel of an MCP server that a run asks on.
import { UserError } from '../../../internal/base/errors.ts'
import type { RelaySettings } from '../../../internal/runtime/relay/relay-settings.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, stringArg } from '../verb.ts'

type RelayOrigin = NonNullable<RelaySettings['origin']>

const places = ['source', 'user', 'session', 'thread'] as const

/** Undefined where the flags name no channel. Throws UserError for an origin that is none. */
export function readRelay(args: CommandArgs): RelaySettings | undefined {
  const mcp = stringArg(args, 'relay')
  const origin = stringArg(args, 'relay-origin')
  if (mcp === undefined && origin === undefined) return undefined
  if (mcp === undefined || origin === undefined)
    throw usage('--relay and --relay-origin belong together', 'a channel is asked where a message came from')
  return { mcp, origin: readOrigin(origin) }
}

function readOrigin(text: string): RelayOrigin {
  const value = parseObject(text)
  const known = (name: string) => (places as readonly string[]).includes(name)
  const fits = value && Object.entries(value).every(([name, one]) => known(name) && typeof one === 'string')
  if (fits && Object.keys(value).length > 0) return value as RelayOrigin
  throw usage(
    `--relay-origin ${text} is no origin`,
    `an object of texts with ${places.join(', ')}, such as {"session":"C042"}`,
  )
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const usage = (message: string, hint: string) => new UserError(message, { hint, exit: exitCodes.usage })
