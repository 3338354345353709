// Checker of one configuration file's text that reports its problems with line and column.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import * as z from 'zod/mini'
import type { EnvironmentVariables } from '../base/environment.ts'
import { describeJsonErrors } from '../base/text/jsonc.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import { fillVariables } from './environment-references.ts'
import { type AnodeConfig, buildConfigFields } from './schema.ts'

/**
 * Checks the text of one file. Returns the parsed value with its variables filled in, or the problems as
 * `line:column: message`: only those of the syntax if it is invalid, else those of keys, values and unset
 * variables. An unset variable is reported at `1:1`, and not at all if only `providers` uses it.
 */
export function checkConfig(
  text: string,
  env: EnvironmentVariables,
): { config: AnodeConfig } | { problems: string[] } {
  const errors: ParseError[] = []
  const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, {
    allowTrailingComma: true,
    disallowComments: false,
  })
  if (!tree && errors.every(({ error }) => printParseErrorCode(error) === 'ValueExpected'))
    return { problems: ['1:1: the file is empty; write {} into it, or remove it'] }
  if (errors.length > 0 || !tree)
    return { problems: describeJsonErrors(text, errors).map((e) => `${e.line}:${e.column}: ${e.what}`) }
  const missing: string[] = []
  const raw: unknown = getNodeValue(tree)
  const value = fillVariables(raw, env, missing)
  // a missing variable of a provider is not reported here: the provider is rejected when it is used, and
  // other settings do not depend on it
  const isOptional = isObject(raw) ? namesIn(raw.providers) : new Set<string>()
  const isElsewhere = isObject(raw) ? namesIn({ ...raw, providers: undefined }) : new Set<string>()
  const parsed = z.safeParse(buildConfigFields(), value, { reportInput: true })
  const problems = parsed.success
    ? []
    : [...parsed.error.issues].sort(unknownFirst).flatMap((issue) => describeIssue(issue, tree, text))
  const needed = [...new Set(missing)].filter((name) => !isOptional.has(name) || isElsewhere.has(name))
  problems.push(...needed.map((name) => `1:1: the environment variable ${name} is not set`))
  return parsed.success && problems.length === 0 ? { config: parsed.data } : { problems }
}

/** Hints for keys of other programs, and for settings that are in another place. */
const suggestedKeys: Readonly<Record<string, string>> = {
  apiKey: '`anode login PROVIDER` stores a key',
  context: 'the window of a model is providers.NAME.window, instructions are in AGENTS.md',
  hooks: 'hooks are in hooks.json next to this file: `anode manual hooks`',
  mode: 'the mode is a flag: --approval',
  research: 'experiments are set up by flags: `anode research init --help`',
  skillsDirs: 'skills are in the directory skills next to this file',
  study: 'studies are set up by flags: `anode study --help`',
  theme: 'the colors of a session are ui.theme, all others follow --color, NO_COLOR and FORCE_COLOR',
  'mcp.allowWorkspace': 'the servers of a workspace count after `anode trust`',
  'mcp.servers': 'servers are in mcpServers, or in mcp.json next to this file',
  'session.autoSave': 'every run is stored',
  'session.storePath': 'ANODE_DATA_DIR says where threads are stored',
  'providers.*.baseURL': 'the key is baseUrl',
  'providers.*.type': 'the key is apiFormat: chat, responses or messages',
}

/** Hints for values of other programs, by key. */
const suggestedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'providers.*.apiFormat': {
    anthropic: 'messages',
    claude: 'messages',
    openai: 'chat, or responses for the Responses API',
    'openai-compatible': 'chat',
    'openai-responses': 'responses',
    generic: 'chat',
    ollama: 'chat',
    gemini: 'chat, with baseUrl https://generativelanguage.googleapis.com/v1beta/openai',
    google: 'chat, with baseUrl https://generativelanguage.googleapis.com/v1beta/openai',
  },
}

/** Returns the dotted path with `*` in place of the name of a provider. */
const generalPath = (path: readonly (string | number)[]) =>
  path.map((key, i) => (i === 1 && path[0] === 'providers' ? '*' : key)).join('.')

function suggestValue(path: readonly (string | number)[], value: unknown): string {
  const suggestions = suggestedValues[generalPath(path)]
  const meant = suggestions && typeof value === 'string' ? suggestions[value.toLowerCase()] : undefined
  return meant === undefined ? '' : `; for ${JSON.stringify(value)} write ${meant}`
}

/**
 * Compares two issues so that unknown keys come first, because a mistyped key explains the absence of
 * the right one.
 */
function unknownFirst(a: z.core.$ZodIssue, b: z.core.$ZodIssue): number {
  return Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys')
}

/** Returns the names of the environment variables that a value refers to. */
function namesIn(value: unknown): Set<string> {
  const names: string[] = []
  fillVariables(value, {}, names)
  return new Set(names)
}

function describeIssue(issue: z.core.$ZodIssue, tree: Node, text: string): string[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  const at = (keys: (string | number)[]) => formatPosition(text, findNodeAtLocation(tree, keys)?.offset ?? 0)
  const name = path.join('.') || 'the file'
  if (issue.code === 'unrecognized_keys') {
    const knownKeys = keysAt(path)
    return issue.keys.map((key) => {
      const hint = suggestedKeys[generalPath([...path, key])] ?? suggestNames(key, knownKeys, 1)
      return `${at([...path, key])}: unknown key ${[...path, key].join('.')}${hint ? `, ${hint}` : ''}`
    })
  }
  if (issue.code === 'invalid_value')
    return [
      `${at(path)}: ${name} must be one of ${issue.values.join(', ')}${suggestValue(path, issue.input)}`,
    ]
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${at(path)}: ${name} is missing`]
  if (issue.code === 'invalid_union') {
    const types = issue.errors.flatMap(([one]) => (one?.code === 'invalid_type' ? [one.expected] : []))
    const values = issue.errors.flatMap(([one]) => (one?.code === 'invalid_value' ? one.values : []))
    const ways = [
      ...(values.length > 0 ? [`one of ${values.join(', ')}`] : []),
      ...(types.length > 0 ? [`of type ${types.join(' or ')}`] : []),
    ]
    if (ways.length > 0) return [`${at(path)}: ${name} must be ${ways.join(', or ')}`]
  }
  if (issue.code === 'invalid_type') return [`${at(path)}: ${name} must be of type ${issue.expected}`]
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`
    return [`${at(path)}: ${name} must ${issue.origin === 'number' ? 'be' : 'have'} ${bound}`]
  }
  return [`${at(path)}: ${name} is not valid (${issue.code.replaceAll('_', ' ')})`]
}

interface SchemaDefinition {
  shape?: Record<string, z.core.$ZodType>
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
}

/** Returns the keys that the schema knows at a path. */
function keysAt(path: readonly (string | number)[]): string[] {
  let at: z.core.$ZodType | undefined = buildConfigFields()
  for (const key of path) {
    const def: SchemaDefinition = unwrapType(at)
    at = typeof key === 'number' ? def.element : (def.shape?.[key] ?? def.valueType)
  }
  return Object.keys(unwrapType(at).shape ?? {})
}

function unwrapType(type: z.core.$ZodType | undefined): SchemaDefinition {
  const def = (type?._zod.def ?? {}) as SchemaDefinition
  return def.innerType ? unwrapType(def.innerType) : def
}

function formatPosition(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `${line}:${offset - before.lastIndexOf('\n')}`
}
