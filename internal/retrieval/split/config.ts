// Splitter of configuration files into settings and groups of adjacent settings, each with the
// comment above it.
import { isBlank, type LineBlock } from './blocks.ts'

const comment = /^\s*(?:#|;|\/\/|\/\*|\*|--|!)/
/**
 * Matches a line such as `[section]` or `[[section]]`. `banner` matches a title between comment marks, as in
 * `### Title ###`.
 */
const section = /^\s*\[{1,2}([^\]]+)\]{1,2}\s*$/
const banner = /^\s*[#;]{3,}\s*([^#;]*?\S)\s*[#;]{3,}\s*$/
/** Matches the key of a setting, even if the setting is commented out. */
const setting = /^\s*(?:[#;]\s?)?(?:export\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*(?:[:=]|\s+["'\w./$-]+\s*$)/

export function splitConfig(lines: readonly string[]): LineBlock[] {
  const blocks: LineBlock[] = []
  let heading = ''
  let i = 0
  while (i < lines.length) {
    const line = lines[i] as string
    if (isBlank(line)) {
      i++
      continue
    }
    const title = line.length < 300 ? (section.exec(line)?.[1] ?? banner.exec(line)?.[1]) : undefined
    if (title !== undefined) {
      heading = title.trim()
      blocks.push({ from: i, to: i, heading, symbol: '', leads: true })
      i++
      continue
    }
    const end = unitEnd(lines, i)
    blocks.push({ from: i, to: end, heading: heading || parentKey(lines, i), symbol: keysOf(lines, i, end) })
    i = end + 1
  }
  return blocks
}

/**
 * Returns the index of the last line of the block that begins at `from`. A block is a group of settings
 * without blank lines, with the comment above it. One blank line may separate the two. A title, and a comment
 * in the first column below a setting, begin the next block.
 */
function unitEnd(lines: readonly string[], from: number): number {
  let end = from
  let inComment = comment.test(lines[from] as string)
  const startsWithComment = inComment
  const isTitle = (line: string) => line.length < 300 && (section.test(line) || banner.test(line))
  for (let i = from + 1; i < lines.length; i++) {
    const line = lines[i] as string
    if (isBlank(line)) {
      const next = lines[i + 1]
      // A blank line may separate a comment from a setting below it that has no comment.
      if (
        inComment &&
        startsWithComment &&
        next !== undefined &&
        !isBlank(next) &&
        !comment.test(next) &&
        !isTitle(next)
      )
        continue
      return end
    }
    const isComment = comment.test(line)
    if (isTitle(line) || (isComment && !inComment && !/^\s+/.test(line))) return end
    inComment = isComment
    end = i
  }
  return end
}

function keysOf(lines: readonly string[], from: number, to: number): string {
  const keys: string[] = []
  for (let i = from; i <= to && keys.length < 12; i++) {
    const line = lines[i] as string
    const key = line.length < 400 ? setting.exec(line)?.[1] : undefined
    if (key !== undefined && key.length > 1) keys.push(key)
  }
  return [...new Set(keys)].join(' ')
}

/**
 * Returns the parent keys of an indented setting, joined by dots, as in YAML and JSON; empty without a
 * parent. Only the nearest 199 lines above are searched.
 */
function parentKey(lines: readonly string[], at: number): string {
  let indent = /^\s*/.exec(lines[at] as string)?.[0].length ?? 0
  const keys: string[] = []
  for (let i = at - 1; i >= 0 && i > at - 200 && indent > 0; i--) {
    const line = lines[i] as string
    const lineIndent = /^\s*/.exec(line)?.[0].length ?? 0
    const key =
      lineIndent < indent && line.length < 400 ? /^\s*["']?([\w.-]+)["']?\s*[:=]/.exec(line)?.[1] : undefined
    if (key === undefined) continue
    keys.unshift(key)
    indent = lineIndent
  }
  return keys.join('.')
}
