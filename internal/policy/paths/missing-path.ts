// The failure for a path that does not exist: a broken link, or a name similar to an existing one.
import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf, type Failure } from '../../base/errors.ts'
import { findNearest } from '../../base/text/name-suggestion.ts'
import type { ResolvedPath } from './path-jail.ts'

/** Largest number of names in a directory that are compared with a mistyped one. */
const maxNearbyNames = 2000

/**
 * Returns the failure `not_found` for a path in the workspace. `otherwise` is the hint if no name is similar.
 */
export function describeMissing(place: ResolvedPath, otherwise?: string): Failure {
  const { given: rawPath, named, shown: shownPath } = place
  const message = isLink(named)
    ? `${rawPath} is a link to ${shownPath}, which does not exist`
    : `${shownPath} does not exist`
  const hint = suggestPath(place) || otherwise
  return { code: 'not_found', message, hint: hint || undefined }
}

/**
 * Returns `did you mean src/a.ts?` with similar names in the innermost existing directory of the path; empty
 * without a similar name.
 */
function suggestPath({ real, shown: shownPath, root }: ResolvedPath): string {
  let missing = real
  let name = shownPath
  while (missing !== root && missing !== '/') {
    const names = namesIn(dirname(missing))
    const folder = dirname(name)
    if (names) {
      const near = findNearest(basename(missing), names)
      const paths = near.map((one) => (folder === '.' ? one : `${folder}/${one}`))
      return paths.length > 0 ? `did you mean ${paths.join(' or ')}?` : ''
    }
    missing = dirname(missing)
    name = folder
  }
  return ''
}

function namesIn(dir: string): string[] | undefined {
  try {
    return readdirSync(dir).slice(0, maxNearbyNames)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
