// The links on the way to a file.
import { lstatSync, readlinkSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

export interface PathLink {
  /** Path of the link: a real directory, then its name. */
  path: string
  /** Target as the link contains it. A relative one starts from its directory. */
  target: string
}

interface FollowedPath {
  real: string
  /** Links in the order of the path. */
  links: PathLink[]
}

/** Largest number of links that are followed, as on Linux; a path with more links counts as unreadable. */
const maxLinks = 40

/**
 * Returns the target of a path and the links on the way; undefined for a missing or unreadable target, and
 * for more than 40 links, such as a circle.
 */
export function followLinks(path: string): FollowedPath | undefined {
  const links: PathLink[] = []
  const pendingParts = resolve(path).split(sep)
  let real: string = sep
  try {
    while (pendingParts.length > 0) {
      const at = join(real, pendingParts.shift() as string)
      if (!lstatSync(at).isSymbolicLink()) {
        real = at
        continue
      }
      if (links.length === maxLinks) return undefined
      const target = readlinkSync(at)
      links.push({ path: at, target })
      pendingParts.unshift(...resolve(real, target).split(sep))
      real = sep
    }
  } catch {
    return undefined
  }
  return { real, links }
}
