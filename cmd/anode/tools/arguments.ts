// Puts a tool's arguments together from --arg, --arg-json and --json.
import { readFileSync } from 'node:fs'
import { messageOf, UserError } from '../../../internal/base/errors.ts'
import { readStdin } from '../io.ts'
import type { Io } from '../verb.ts'

type Json = Record<string, unknown>

export interface Given {
  arg: readonly string[]
  argJson: readonly string[]
  json: string | undefined
}

/** Throws UserError for what is not JSON, not `key=value`, or given in two ways. */
export async function gather(given: Given, schema: Json | undefined, io: Io): Promise<Json> {
  const out: Json = given.json === undefined ? {} : await wholeObject(given.json, io)
  const fromJson = new Set(Object.keys(out))
  const set = (flag: string, key: string, value: unknown, join: boolean) => {
    if (fromJson.has(key))
      throw new UserError(`${key} is given by --json and by ${flag}`, { hint: 'give each argument once' })
    const before = out[key]
    if (before !== undefined && !join)
      throw new UserError(`${key} is given twice`, { hint: 'give each argument once' })
    out[key] = before === undefined ? value : [...(before as unknown[]), ...(value as unknown[])]
  }
  for (const pair of given.arg) {
    const [key, text] = split(pair, '--arg')
    const isArray = typeOf(schema, key) === 'array'
    set('--arg', key, isArray ? listOf(text) : text, isArray)
  }
  for (const pair of given.argJson) {
    const [key, text] = split(pair, '--arg-json')
    set('--arg-json', key, parse(text, `--arg-json ${key}`), false)
  }
  return out
}

function split(pair: string, flag: string): [string, string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new UserError(`${flag} ${pair}: expected KEY=VALUE`, { hint: `for example ${flag} path=README.md` })
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim())
}

function typeOf(schema: Json | undefined, key: string): unknown {
  const properties = schema?.properties as Record<string, Json> | undefined
  return properties && Object.hasOwn(properties, key) ? properties[key]?.type : undefined
}

async function wholeObject(source: string, io: Io): Promise<Json> {
  const text =
    source === '-' ? await readStdin(io) : source.startsWith('@') ? fileText(source.slice(1)) : source
  const value = parse(text, '--json')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError('--json must be a JSON object', {
      hint: 'for example --json \'{"path":"README.md"}\'',
    })
  }
  return value as Json
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError(`--json @${path}: ${messageOf(error)}`, {
      hint: 'name a file that can be read',
      cause: error,
    })
  }
}

function parse(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${flag} is not valid JSON: ${messageOf(error)}`, {
      hint: 'check quotes and commas',
      cause: error,
    })
  }
}
