// Reader of lsp.json of the user and of a trusted workspace, with diagnostics of invalid entries.

import type { FileDiagnostic } from '../../base/diagnostic.ts'
import { UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/open-file.ts'
import { parseJsonc } from '../../base/text/jsonc.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { isObject } from '../../base/untrusted-json.ts'
import type { LspServerDraft } from './server-entry.ts'

/** A possibly incomplete server entry of one configuration file, with the path of that file. */
export interface LspServerSource {
  name: string
  draft: LspServerDraft
  path: string
}

interface ServerSources {
  /** Entries of all files in the order of the files; later ones override earlier ones of the same name. */
  sources: LspServerSource[]
  diagnostics: FileDiagnostic[]
}

/**
 * Loads the servers of the files in the order of `paths`. A file is `{"<server>": {…}}`, comments allowed. An
 * invalid entry or file is skipped with a diagnostic, and a missing file without one.
 */
export async function loadServers(paths: readonly string[]): Promise<ServerSources> {
  const sources: LspServerSource[] = []
  const diagnostics: FileDiagnostic[] = []
  for (const path of paths) {
    const say = (message: string) => diagnostics.push({ severity: 'error', where: path, message })
    try {
      const text = readSmall(path)
      if (text === undefined) continue
      const value = await parseJsonc(text)
      if (!isObject(value)) throw new UserError('must be an object of servers')
      for (const [name, draft] of Object.entries(value)) {
        const faults = faultsOf(name, draft)
        if (faults.length > 0) say(`${name}: ${faults.join('; ')}`)
        else sources.push({ name, draft: draft as LspServerDraft, path })
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      say(error.message)
    }
  }
  return { sources, diagnostics }
}

type ValueCheck = (value: unknown) => string | undefined

const createCheck =
  (test: (value: unknown) => boolean, what: string): ValueCheck =>
  (value) =>
    test(value) ? undefined : `must be ${what}`

const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0')

const isTextMap = (value: unknown) => isObject(value) && Object.values(value).every(isText)

const isPlaces = (value: unknown) =>
  isObject(value) &&
  Object.entries(value).every(
    ([key, list]) => ['network', 'read', 'write'].includes(key) && Array.isArray(list) && list.every(isText),
  )

const checks: Readonly<Record<keyof LspServerDraft, ValueCheck>> = {
  command: createCheck((value) => isText(value) && value !== '', 'the name or path of a program'),
  args: createCheck((value) => Array.isArray(value) && value.every(isText), 'a list of strings'),
  extensions: createCheck(isTextMap, 'an object such as {".ts": "typescript"}'),
  initializationOptions: createCheck(isObject, 'an object'),
  settings: createCheck(isObject, 'an object'),
  env: createCheck(isTextMap, 'an object of strings'),
  sandbox: createCheck(isPlaces, 'an object with lists of network, read and write'),
  disabled: createCheck((value) => typeof value === 'boolean', 'true or false'),
}

function faultsOf(name: string, draft: unknown): string[] {
  if (!/^[\w.-]{1,64}$/.test(name)) return ['a name has letters, digits, dots and dashes']
  if (!isObject(draft)) return ['must be an object']
  return Object.entries(draft).flatMap(([key, value]) => {
    if (!Object.hasOwn(checks, key)) {
      const knownKeys = Object.keys(checks)
      return `unknown key ${key}, ${suggestNames(key, knownKeys, 1) || `known are ${knownKeys.join(', ')}`}`
    }
    const fault = checks[key as keyof LspServerDraft](value)
    return fault === undefined ? [] : `${key} ${fault}`
  })
}
