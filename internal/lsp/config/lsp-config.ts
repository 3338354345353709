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

interface Sources {
  /** Entries of all files in the order of the files; later ones override earlier ones of the same name. */
  sources: LspServerSource[]
  diagnostics: FileDiagnostic[]
}

/**
 * Loads the servers of the files in the order of `paths`. A file is `{"<server>": {…}}`, comments allowed. An
 * invalid entry or file is skipped with a diagnostic, and a missing file without one.
 */
export async function loadServers(paths: readonly string[]): Promise<Sources> {
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

type Check = (value: unknown) => string | undefined

const is =
  (test: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    test(value) ? undefined : `must be ${what}`

const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0')

const texts = (value: unknown) => isObject(value) && Object.values(value).every(isText)

const isPlaces = (value: unknown) =>
  isObject(value) &&
  Object.entries(value).every(
    ([key, list]) => ['network', 'read', 'write'].includes(key) && Array.isArray(list) && list.every(isText),
  )

const checks: Readonly<Record<keyof LspServerDraft, Check>> = {
  command: is((value) => isText(value) && value !== '', 'the name or path of a program'),
  args: is((value) => Array.isArray(value) && value.every(isText), 'a list of strings'),
  extensions: is(texts, 'an object such as {".ts": "typescript"}'),
  initializationOptions: is(isObject, 'an object'),
  settings: is(isObject, 'an object'),
  env: is(texts, 'an object of strings'),
  sandbox: is(isPlaces, 'an object with lists of network, read and write'),
  disabled: is((value) => typeof value === 'boolean', 'true or false'),
}

function faultsOf(name: string, draft: unknown): string[] {
  if (!/^[\w.-]{1,64}$/.test(name)) return ['a name has letters, digits, dots and dashes']
  if (!isObject(draft)) return ['must be an object']
  return Object.entries(draft).flatMap(([key, value]) => {
    if (!Object.hasOwn(checks, key)) {
      const known = Object.keys(checks)
      return `unknown key ${key}, ${suggestNames(key, known, 1) || `known are ${known.join(', ')}`}`
    }
    const fault = checks[key as keyof LspServerDraft](value)
    return fault === undefined ? [] : `${key} ${fault}`
  })
}
