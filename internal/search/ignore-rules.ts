// The rules of ignore files (gitignore(5)), for when the tree is walked without ripgrep.
import type { ByteName } from '../base/text/byte-name.ts'
import { type PathPattern, pathMatches, readPath } from '../base/text/glob/path-pattern.ts'

export interface IgnoreRule {
  /** A leading `!`: what matches is kept. */
  keep: boolean
  folderOnly: boolean
  path: PathPattern
}

/** Reads an ignore file; lines that cannot be read as patterns are passed by, as git does. */
export function readRules(text: string): IgnoreRule[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return lines.map(readRule).filter((rule) => rule !== undefined)
}

function readRule(line: string): IgnoreRule | undefined {
  const trimmed = line.replace(/(?<!\\) +$/, '')
  if (trimmed === '' || trimmed.startsWith('#')) return undefined
  const keep = trimmed.startsWith('!')
  const bare = keep ? trimmed.slice(1) : trimmed
  const folderOnly = bare.endsWith('/')
  const body = folderOnly ? bare.slice(0, -1) : bare
  // a slash at the beginning or in the middle ties the pattern to the file's own folder
  const tied = body.includes('/')
  const names = body.replace(/^\//, '')
  try {
    return { keep, folderOnly, path: readPath(tied ? names : `**/${names}`) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * What the rules say of a path relative to their folder: the last that matches decides, undefined when none
 * does.
 */
export function ignoreVerdict(
  rules: readonly IgnoreRule[],
  path: ByteName,
  folder: boolean,
): 'ignore' | 'keep' | undefined {
  const last = rules.findLast((rule) => (folder || !rule.folderOnly) && pathMatches(rule.path, path))
  return last && (last.keep ? 'keep' : 'ignore')
}
