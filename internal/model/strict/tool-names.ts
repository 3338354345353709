// Tool names and call ids that every endpoint accepts, and the conversion back to the original names.
import { fingerprint } from '../../base/fingerprint.ts'
import type { ToolSpec } from '../model.ts'

const maxNameChars = 64

/** Returns `name` in letters, digits, `_` and `-`, at most 64 characters. Equal names give equal results. */
export function strictName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_') || 'unnamed'
  if (plain.length <= maxNameChars) return plain
  return `${plain.slice(0, maxNameChars - 7)}_${fingerprint(name).slice(0, 6)}`
}

/** Matches prefixes that models write before the name of a tool because of their training. */
const prefix = /^(?:functions|default_api|tools|tool|multi_tool_use)[.:/]/

/**
 * Returns the name of the offered tool that a model means by `name`: that name, or the name with a known
 * prefix or control tokens of a chat template, or in its strict form. Returns `name` if no tool fits.
 */
export function offeredName(tools: readonly ToolSpec[], name: string): string {
  const isOffered = (one: string) => tools.some((tool) => tool.name === one)
  if (isOffered(name)) return name
  const fitted = tools.find((tool) => strictName(tool.name) === name)?.name
  if (fitted !== undefined) return fitted
  // Control tokens of a chat template (`<|…`) may follow the name and are removed.
  const plain = name
    .replace(prefix, '')
    .replace(/<\|.*$/, '')
    .trim()
  return isOffered(plain) ? plain : name
}

/** Returns an id that every endpoint accepts, because another provider may have made `id`. */
export function strictCallId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : `call_${fingerprint(id).slice(0, 24)}`
}
