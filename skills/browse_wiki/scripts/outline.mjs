#!/usr/bin/env node
// Prints the headings of text documents with place and size. usage: outline.mjs [--match WORD] [--depth N] [DIR|FILE…]
// Default: all headings down to level 3 of the Markdown, MDX, reStructuredText and AsciiDoc files below the current directory.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

const args = process.argv.slice(2)
const take = (name) => {
  const at = args.indexOf(name)
  return at >= 0 ? args.splice(at, 2)[1] : undefined
}
const word = take('--match')?.toLowerCase()
const depth = Number(take('--depth') ?? 3)
if (!Number.isInteger(depth) || depth < 1 || args.some((arg) => arg.startsWith('--'))) {
  console.error('usage: outline.mjs [--match WORD] [--depth N] [DIR|FILE…]')
  process.exit(2)
}
const types = new Set(['.md', '.mdx', '.markdown', '.rst', '.adoc', '.asciidoc'])
const skipped = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', '.git'])

function* walk(path) {
  if (statSync(path).isFile()) {
    yield path
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* walk(join(path, entry.name))
    else if (entry.isFile() && types.has(extname(entry.name).toLowerCase())) yield join(path, entry.name)
  }
}

/** Headings of one document: level, text, line (from 1). */
function headings(lines, type) {
  const found = []
  let fence = ''
  /** Underline characters of reStructuredText in the order of their first use. */
  const marks = []
  for (const [i, line] of lines.entries()) {
    const mark = /^\s*(`{3,}|~{3,}|-{4,}$)/.exec(line)?.[1]
    if (mark && type !== '.rst' && !(mark.startsWith('-') && !type.startsWith('.a'))) {
      fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
      continue
    }
    if (fence !== '') continue
    if (type === '.rst') {
      const above = lines[i - 1]?.trimEnd() ?? ''
      if (!/^([=\-~^"'#*+.:_])\1{2,}\s*$/.test(line) || above === '' || line.trimEnd().length < above.length)
        continue
      if (/^([=\-~^"'#*+.:_])\1{2,}$/.test(above)) continue
      if (!marks.includes(line[0])) marks.push(line[0])
      found.push({ level: marks.indexOf(line[0]) + 1, text: above.trim(), line: i })
      continue
    }
    const match = /^(#{1,6}|={1,6})\s+(.+?)\s*#*\s*$/.exec(line)
    if (match && (match[1][0] === '#' || type.startsWith('.a'))) {
      found.push({ level: match[1].length, text: match[2], line: i + 1 })
    }
  }
  return found
}

let files = 0
for (const root of args.length > 0 ? args : ['.']) {
  for (const path of walk(root)) {
    files++
    const lines = readFileSync(path, 'utf8').split(/\r?\n/)
    const all = headings(lines, extname(path).toLowerCase())
    const shown = all.filter(({ level }, i) => {
      if (level > depth) return false
      if (word === undefined) return true
      const end = all[i + 1]?.line ?? lines.length + 1
      return lines
        .slice(all[i].line - 1, end - 1)
        .join('\n')
        .toLowerCase()
        .includes(word)
    })
    if (shown.length === 0 && (word !== undefined || all.length > 0)) continue
    console.log(`${path} (${lines.length} lines)`)
    for (const { level, text, line } of shown) {
      const next = all.find((other) => other.line > line && other.level <= level)
      console.log(
        `${'  '.repeat(level)}${path}:${line}  ${text}  [${(next?.line ?? lines.length + 1) - line}]`,
      )
    }
  }
}
console.error(`${files} documents`)
