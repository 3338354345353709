// Parsers of untrusted server values that skip anything that does not follow the protocol.
import { fileURLToPath } from 'node:url'
import { objectOf } from '../../base/untrusted-json.ts'
import type { LspPoint } from '../../tool/lsp.ts'

/**
 * A position in a message of the server. Its column counts UTF-16 code units or UTF-8 bytes, as
 * the server does.
 */
export interface ServerLocation extends LspPoint {
  /** Absolute path, or the URI itself if it is not a file. */
  path: string
}

export interface ServerSymbol extends ServerLocation {
  name: string
  kind: string
  container?: string
  depth: number
}

/** A call hierarchy item: its parsed fields, and the raw value that goes back to the server. */
export interface HierarchyCall extends ServerSymbol {
  item: unknown
}

/** Limits of list items, tree depth and text length. */
export const maxValues = { items: 20_000, depth: 64, text: 300 } as const

/** Returns a list of at most 20,000 values. A single value becomes a list, a missing one an empty list. */
export const valuesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value.slice(0, maxValues.items)
    : value === null || value === undefined
      ? []
      : [value]

/** Returns a text, truncated to `limit` characters; undefined for a value that is not a text. */
export const textOf = (value: unknown, limit: number = maxValues.text): string | undefined =>
  typeof value !== 'string' ? undefined : value.length > limit ? `${value.slice(0, limit)}…` : value

export function pointOf(value: unknown): LspPoint | undefined {
  const { line, character } = objectOf(value) ?? {}
  return isCount(line) && isCount(character) ? { line, character } : undefined
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0

/**
 * Returns the path of a file URI, another URI unchanged, or undefined for an invalid or very long value and
 * for a file URI without a local path.
 */
export function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri.length > 4_096 || !URL.canParse(uri)) return undefined
  if (!uri.startsWith('file:')) return uri
  try {
    const path = fileURLToPath(uri)
    return path.includes('\0') ? undefined : path
  } catch {
    // a file on another host, or an encoded slash, has no local path
    return undefined
  }
}

function spotOf(uri: unknown, range: unknown): ServerLocation | undefined {
  const path = pathOf(uri)
  const point = pointOf(objectOf(range)?.start)
  return path !== undefined && point ? { path, ...point } : undefined
}

/** Parses Location, LocationLink, or lists of them, and skips invalid values. */
export function spotsOf(value: unknown): ServerLocation[] {
  return valuesOf(value).flatMap((one) => {
    const place = objectOf(one)
    if (!place) return []
    const spot = place.targetUri
      ? spotOf(place.targetUri, place.targetSelectionRange ?? place.targetRange)
      : spotOf(place.uri, place.range)
    return spot ?? []
  })
}

/**
 * Parses at most 20,000 symbols: DocumentSymbol trees of the file `path`, flattened in order, or lists of
 * SymbolInformation and WorkspaceSymbol. Skips symbols without a name or a file, and those more than 64
 * levels below the top.
 */
export function symbolsOf(value: unknown, path?: string): ServerSymbol[] {
  const out: ServerSymbol[] = []
  const visit = (list: unknown, depth: number, container: string | undefined) => {
    for (const one of valuesOf(list)) {
      if (out.length >= maxValues.items) return
      const symbol = objectOf(one)
      const name = textOf(symbol?.name)
      if (!symbol || name === undefined) continue
      const place = objectOf(symbol.location)
      const spot = place
        ? (spotOf(place.uri, place.range) ?? startOf(place.uri))
        : path === undefined
          ? undefined
          : {
              path,
              ...(pointOf(objectOf(symbol.selectionRange ?? symbol.range)?.start) ?? {
                line: 0,
                character: 0,
              }),
            }
      if (!spot) continue
      const within = textOf(symbol.containerName) || container
      out.push({ ...spot, name, kind: kindOf(symbol.kind), depth, container: within || undefined })
      if (depth < maxValues.depth && Array.isArray(symbol.children)) visit(symbol.children, depth + 1, name)
    }
  }
  visit(value, 0, undefined)
  return out
}

/**
 * Returns the beginning of the file of a workspace symbol whose location has no range yet; undefined for
 * an invalid URI.
 */
function startOf(uri: unknown): ServerLocation | undefined {
  const path = pathOf(uri)
  return path === undefined ? undefined : { path, line: 0, character: 0 }
}

export function callOf(value: unknown): HierarchyCall | undefined {
  const item = objectOf(value)
  const name = textOf(item?.name)
  const spot = item && spotOf(item.uri, item.selectionRange ?? item.range)
  if (!item || name === undefined || !spot) return undefined
  const container = textOf(item.detail)
  return { ...spot, name, kind: kindOf(item.kind), depth: 0, item: value, container: container || undefined }
}

/**
 * Returns the text of a MarkupContent, a string, a language with a value, or a list of the last two, up to
 * `limit` characters; empty for any other value.
 */
export function proseOf(value: unknown, limit: number): string {
  const parts = valuesOf(value).flatMap((one) => {
    const text = typeof one === 'string' ? one : objectOf(one)?.value
    const language = textOf(objectOf(one)?.language)
    if (typeof text !== 'string' || text.trim() === '') return []
    return language ? `\`\`\`${language}\n${text.trim()}\n\`\`\`` : text.trim()
  })
  return textOf(parts.join('\n\n'), limit) ?? ''
}

// names of the protocol's SymbolKind, whose numbers start at 1
const kinds = (
  'file module namespace package class method property field constructor enum interface function variable ' +
  'constant string number boolean array object key null enum-member struct event operator type-parameter'
).split(' ')

const kindOf = (value: unknown): string =>
  typeof value === 'number' ? (kinds[value - 1] ?? 'symbol') : 'symbol'
