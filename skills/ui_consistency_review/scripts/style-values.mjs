#!/usr/bin/env node
// Counts design values in style and component files. usage: style-values.mjs [DIR…]   (default: .)
// Prints each kind with its values, most frequent first: count, value, an example place. Reads only.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

const types = new Set(
  '.css .scss .sass .less .styl .js .jsx .ts .tsx .mjs .vue .svelte .astro .html .swift .kt .xml'.split(' '),
)
const skipped = new Set('node_modules dist build out coverage vendor target __snapshots__'.split(' '))
const length = '-?\\d*\\.?\\d+(?:px|rem|em|pt|dp|sp|vh|vw|ch)'
const after = (names) => new RegExp(`(?:${names})["']?\\s*[:=]\\s*["'{]?\\s*([^;"'}\\n]+)`, 'gi')
const kinds = {
  colours: /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl|hwb|lab|lch|oklch|oklab)a?\([^)]*\)/gi,
  'font sizes': after('font-?size'),
  'font weights': after('font-?weight'),
  spacing: after('(?:margin|padding)(?:-?(?:top|right|bottom|left|inline|block|x|y))?|(?:row-|column-)?gap'),
  radii: after('border-?(?:[a-z]+-?[a-z]+-?)?radius'),
  shadows: after('box-?shadow'),
  'z-indexes': after('z-?index'),
  durations: /(?<![\w.])\d*\.?\d+m?s\b(?=[^\n]*(?:ease|linear|cubic|transition|animation|;))/gi,
  breakpoints: new RegExp(`(?:min|max)-width\\s*:\\s*(${length})`, 'gi'),
}

function* walk(path) {
  if (statSync(path).isFile()) {
    yield path
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) continue
    if (entry.isDirectory()) yield* walk(join(path, entry.name))
    else if (entry.isFile()) yield join(path, entry.name)
  }
}

const found = new Map(Object.keys(kinds).map((kind) => [kind, new Map()]))
let files = 0
for (const root of process.argv.length > 2 ? process.argv.slice(2) : ['.']) {
  for (const path of walk(root)) {
    if (
      !types.has(extname(path)) ||
      /\.(min|bundle)\.|\.(test|spec)\./.test(path) ||
      statSync(path).size > 1 << 20
    )
      continue
    files++
    for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      for (const [kind, regex] of Object.entries(kinds)) {
        for (const match of line.matchAll(regex)) {
          const value = (match[1] ?? match[0])
            .trim()
            .toLowerCase()
            .replace(/,(?:\s*\w+\s*:.*)?$/, '')
          const seen = found.get(kind).get(value) ?? { count: 0, place: `${path}:${i + 1}` }
          found.get(kind).set(value, { ...seen, count: seen.count + 1 })
        }
      }
    }
  }
}
console.log(`${files} files`)
for (const [kind, values] of found) {
  if (values.size === 0) continue
  const sorted = [...values].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
  console.log(`\n## ${kind}: ${values.size} different`)
  for (const [value, { count, place }] of sorted.slice(0, 60))
    console.log(`${String(count).padStart(5)}  ${value.slice(0, 60)}  (${place})`)
  if (sorted.length > 60)
    console.log(`       … ${sorted.length - 60} more, all with ${sorted[60][1].count} or fewer uses`)
}
