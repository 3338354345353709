// Overview of the source files for the model that makes the plan: directories with the number of their files,
// and the first names.
import { countNoun } from '../../base/text/count-noun.ts'

/**
 * Largest number of directories in the overview, of file names that are listed for a directory, and of
 * characters of a line.
 */
const maxDirectories = 40
const maxNames = 8
const maxChars = 160

/**
 * Largest depth of the directories that get separate lines. Files in deeper ones count in the line of
 * a directory above.
 */
const maxDepth = 4

/**
 * Returns one line for each directory, as deep as the limit of lines allows. A last line counts the
 * directories above the limit, which have the fewest files. Deeper files belong to the line of their
 * directory. `paths` is sorted.
 */
export function drawSourceMap(paths: readonly string[]): string {
  let groups = groupFiles(paths, 1)
  for (let depth = 2; depth <= maxDepth; depth++) {
    const deeper = groupFiles(paths, depth)
    if (deeper.size > maxDirectories) break
    groups = deeper
  }
  const largest = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, maxDirectories)
  const shown = largest.sort(([a], [b]) => (a < b ? -1 : 1)).map(([dir, names]) => describeGroup(dir, names))
  const rest = groups.size - shown.length
  return [
    ...shown,
    ...(rest > 0 ? [`and ${countNoun(rest, 'more directory', 'more directories')}`] : []),
  ].join('\n')
}

/** Returns the names of files by their directory, which has at most `depth` parts. */
function groupFiles(paths: readonly string[], depth: number): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const parts = path.split('/')
    const dir = parts.slice(0, Math.min(depth, parts.length - 1)).join('/')
    const names = groups.get(dir) ?? []
    if (names.length === 0) groups.set(dir, names)
    names.push(dir === '' ? path : path.slice(dir.length + 1))
  }
  return groups
}

function describeGroup(dir: string, names: readonly string[]): string {
  const more = names.length > maxNames ? ', …' : ''
  const count = countNoun(names.length, 'file')
  const line = `${dir === '' ? '.' : dir}/ ${count}: ${names.slice(0, maxNames).join(', ')}${more}`
  const plain = line.replace(/\p{Cc}/gu, ' ')
  return plain.length > maxChars ? `${plain.slice(0, maxChars)}…` : plain
}
