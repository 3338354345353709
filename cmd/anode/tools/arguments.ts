// The arguments for a tool, combined from --arg, --arg-json, --json, flags and words.
import { readFileSync } from 'node:fs'
import { messageOf, UserError } from '../../../internal/base/errors.ts'
import { fileMessageOf } from '../../../internal/base/files/errno.ts'
import { suggestNames } from '../../../internal/base/text/name-suggestion.ts'
import { quoteWord } from '../../../internal/base/text/quoting/shell-word.ts'
import { readStdin } from '../io/streams.ts'
import { writeFlag } from '../parse-args.ts'
import { type CommandArgs, type CommandIo, listArg, stringArg, type Verb } from '../verb.ts'

type JsonObject = Record<string, unknown>

interface ArgumentSources {
  arg: readonly string[]
  argJson: readonly string[]
  json: string | undefined
  /** Words that follow the tool's name on the command line. */
  words?: readonly string[]
  /** Flags that the command does not define, in the form NAME=VALUE. */
  extra?: readonly string[]
  /** Names of the flags that the command defines. */
  flags?: readonly string[]
}

/** Returns the flags and words of the command line of `verb` that contain arguments for a tool. */
export function readArgumentFlags(args: CommandArgs, verb: Verb): ArgumentSources {
  return {
    arg: listArg(args, 'arg'),
    argJson: listArg(args, 'arg-json'),
    json: stringArg(args, 'json'),
    words: listArg(args, 'ARGUMENT'),
    extra: listArg(args, 'extra'),
    flags: Object.keys(verb.options),
  }
}

/**
 * Returns the arguments from all sources together. An `--arg` without `=` takes the next word without a flag
 * as its value. Several --arg, flags and words may add to one list, but not to one from `--json`. Throws
 * UserError without such a word, for invalid JSON, for an unreadable file of `--json`, for an unknown flag,
 * for a word that cannot be assigned to a parameter, and for a parameter that is set twice.
 */
export async function gatherArguments(
  sources: ArgumentSources,
  schema: JsonObject | undefined,
  io: CommandIo,
): Promise<JsonObject> {
  const out: JsonObject = sources.json === undefined ? {} : await wholeObject(sources.json, io)
  const fromJson = new Set(Object.keys(out))
  const set = (flag: string, key: string, value: unknown, join: boolean) => {
    if (fromJson.has(key))
      throw new UserError(`${key} is given by --json and by ${flag}`, { hint: 'give each argument once' })
    const before = out[key]
    const canJoin = join && Array.isArray(before) && Array.isArray(value)
    if (before !== undefined && !canJoin)
      throw new UserError(`${key} is given twice`, { hint: 'give each argument once' })
    out[key] = before === undefined ? value : [...(before as unknown[]), ...(value as unknown[])]
  }
  const words = [...(sources.words ?? [])]
  const pairs = sources.arg.map((pair) =>
    pair.includes('=') || words.length === 0 ? pair : `${pair}=${words.shift()}`,
  )
  for (const pair of [...pairs, ...readFlags(sources, schema)]) {
    const [key, text] = splitPair(pair, '--arg')
    const isArray = typeOf(schema, key) === 'array'
    set('--arg', key, readText(text, typeOf(schema, key)), isArray)
  }
  for (const pair of sources.argJson) {
    const [key, text] = splitPair(pair, '--arg-json')
    set('--arg-json', key, parseJson(text, `--arg-json ${key}`), false)
  }
  // Without a schema the tool is unknown. The caller reports that, so the words are skipped.
  for (const word of schema ? words : []) {
    const [key, text] = placeWord(word, out, schema)
    const isArray = typeOf(schema, key) === 'array'
    set('a word', key, readText(text, typeOf(schema, key)), isArray)
  }
  return out
}

const namesIn = (schema: JsonObject | undefined): string[] =>
  Object.keys((schema?.properties as JsonObject | undefined) ?? {})

/**
 * Returns the flags that are named after parameters, in the form KEY=VALUE. Throws UserError for an unknown
 * parameter. Without a schema, accepts every name.
 */
function readFlags({ extra = [], flags = [] }: ArgumentSources, schema: JsonObject | undefined): string[] {
  return extra.map((pair) => {
    const [name, text] = splitPair(pair, '--')
    const key = name.replaceAll('-', '_')
    const names = namesIn(schema)
    const parameter = [name, key].find((one) => names.includes(one))
    if (parameter !== undefined || schema === undefined) return `${parameter ?? key}=${text}`
    const hint = suggestNames(name, [...flags, ...names], 1).replace(/mean (.*)\?/, 'mean --$1?')
    throw new UserError(`unknown flag ${writeFlag(name)}`, {
      hint: hint || `parameters: ${names.join(', ')}`,
    })
  })
}

/**
 * Returns the name of the parameter that a word without a flag belongs to, and its text. `NAME=TEXT` contains
 * the name of a parameter. Any other word belongs to the only required parameter that has no value yet or is
 * a list. Throws UserError if several parameters or none fit this description.
 */
function placeWord(word: string, sources: JsonObject, schema: JsonObject | undefined): [string, string] {
  const names = namesIn(schema)
  const at = word.indexOf('=')
  if (at > 0 && names.includes(word.slice(0, at))) return [word.slice(0, at), word.slice(at + 1)]
  const required = ((schema?.required as string[] | undefined) ?? []).filter(
    (name) => sources[name] === undefined || typeOf(schema, name) === 'array',
  )
  if (required.length === 1) return [required[0] as string, word]
  const example = required[0] ?? names.find((name) => isFree(name, sources, schema)) ?? 'NAME'
  const parameters = names.length > 0 ? ` (parameters: ${names.join(', ')})` : ''
  throw new UserError(`unexpected word: ${word}`, {
    hint: `say what it is, for example --arg ${example}=${quoteWord(word)}${parameters}`,
  })
}

/** Returns true if a parameter has no value yet and accepts any text. */
function isFree(name: string, sources: JsonObject, schema: JsonObject | undefined): boolean {
  const { type, enum: choices } = (schema?.properties as Record<string, JsonObject> | undefined)?.[name] ?? {}
  return sources[name] === undefined && type === 'string' && choices === undefined
}

/**
 * Converts the text for a list or an object. Valid JSON of that type is parsed; any other text for a list is
 * split at commas. Any other text is returned unchanged.
 */
function readText(text: string, type: unknown): unknown {
  const isJson = (type === 'array' && text.startsWith('[')) || (type === 'object' && text.startsWith('{'))
  if (isJson) {
    try {
      const value: unknown = JSON.parse(text)
      if (Array.isArray(value) === (type === 'array')) return value
    } catch {
      // A text that starts with a bracket need not be JSON, for example if it is a pattern.
      return type === 'array' ? listOf(text) : text
    }
  }
  return type === 'array' ? listOf(text) : text
}

function splitPair(pair: string, flag: string): [string, string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new UserError(`${flag} ${pair}: expected KEY=VALUE`, { hint: `for example ${flag} path=README.md` })
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim())
}

function typeOf(schema: JsonObject | undefined, key: string): unknown {
  const properties = schema?.properties as Record<string, JsonObject> | undefined
  return properties && Object.hasOwn(properties, key) ? properties[key]?.type : undefined
}

async function wholeObject(source: string, io: CommandIo): Promise<JsonObject> {
  const text =
    source === '-' ? await readStdin(io) : source.startsWith('@') ? fileText(source.slice(1)) : source
  const value = parseJson(text, '--json')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError('--json must be a JSON object', {
      hint: 'for example --json \'{"path":"README.md"}\'',
    })
  }
  return value as JsonObject
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError(`--json: ${fileMessageOf(error, path)}`, {
      hint: 'name a file that can be read',
      cause: error,
    })
  }
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${flag} is not valid JSON: ${messageOf(error)}`, {
      hint: 'check quotes and commas',
      cause: error,
    })
  }
}
