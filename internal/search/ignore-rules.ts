// Rules of ignore files, such as `.gitignore`, for a search without ripgrep.

import type { ByteName } from '../base/text/byte-name.ts'
import { type PathPattern, pathMatches, readPath } from '../base/text/glob/path-pattern.ts'

export interface IgnoreRule {
  /** True for a rule with a leading `!`: a matching path is not ignored. */
  keep: boolean
  folderOnly: boolean
  path: PathPattern
}

/**
 * Returns the rules of an ignore file in order. Empty lines, comments and, as in git, invalid
 * patterns are skipped.
 */
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
  // A pattern with a slash at the beginning or in the middle starts at the directory of the ignore file.
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
 * Returns the decision on a path relative to the directory of the rules. The last matching rule decides;
 * undefined without a match.
 */
export function ignoreVerdict(
  rules: readonly IgnoreRule[],
  path: ByteName,
  folder: boolean,
): 'ignore' | 'keep' | undefined {
  const last = rules.findLast((rule) => (folder || !rule.folderOnly) && pathMatches(rule.path, path))
  return last && (last.keep ? 'keep' : 'ignore')
}
