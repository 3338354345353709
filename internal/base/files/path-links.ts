// The links on the way to a file.
import { lstatSync, readlinkSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

export interface PathLink {
  /** Where the link lies: a real folder, then its name. */
  path: string
  /** As the link has it, relative ones from its folder. */
  target: string
}

interface FollowedPath {
  real: string
  /** In the order in which they are passed. */
  links: PathLink[]
}

/** As many as Linux follows. */
const maxLinks = 40

/** Undefined where nothing is there, where the links lead in a circle, or what can't be looked at. */
export function followLinks(path: string): FollowedPath | undefined {
  const links: PathLink[] = []
  const left = resolve(path).split(sep)
  let real: string = sep
  try {
    while (left.length > 0) {
      const at = join(real, left.shift() as string)
      if (!lstatSync(at).isSymbolicLink()) {
        real = at
        continue
      }
      if (links.length === maxLinks) return undefined
      const target = readlinkSync(at)
      links.push({ path: at, target })
      left.unshift(...resolve(real, target).split(sep))
      real = sep
    }
  } catch {
    return undefined
  }
  return { real, links }
}
