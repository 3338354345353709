// What a person or a model meant by a path where nothing is: a link that leads nowhere, or a name nearby.
import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf, type Failure } from '../../base/errors.ts'
import { findNearest } from '../../base/text/name-suggestion.ts'
import type { ResolvedPath } from './path-jail.ts'

/** Most names of a directory that are compared with a mistyped one. */
const maxNearbyNames = 2000

/** Failure `not_found` for a place in the workspace; `otherwise` is the hint where no name is near. */
export function describeMissing(place: ResolvedPath, otherwise?: string): Failure {
  const { given, named, shown } = place
  const message = isLink(named)
    ? `${given} is a link to ${shown}, which does not exist`
    : `${shown} does not exist`
  const hint = suggestPath(place) || otherwise
  return { code: 'not_found', message, hint: hint || undefined }
}

/** `did you mean src/a.ts?`, or nothing: names in the innermost folder of its path that is there. */
function suggestPath({ real, shown, root }: ResolvedPath): string {
  let missing = real
  let name = shown
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
