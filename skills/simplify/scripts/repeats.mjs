#!/usr/bin/env node
// Lists runs of equal lines in source files. usage: repeats.mjs [--lines N] [DIR…]   (default: 6 lines, .)
// Lines are compared without indentation; blank lines, brackets, imports and comments alone do not count.
// Prints the longest runs first, each with all its places. Reads only.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

const args = process.argv.slice(2)
let least = 6
const flag = args.indexOf('--lines')
if (flag >= 0) least = Number(args.splice(flag, 2)[1])
if (!Number.isInteger(least) || least < 3) {
  console.error('usage: repeats.mjs [--lines N] [DIR…]   (N from 3)')
  process.exit(2)
}
const types = new Set(
  '.ts .tsx .js .jsx .mjs .cjs .py .go .rs .java .kt .rb .php .c .h .cc .cpp .cs .swift .scala .sh .vue .svelte'.split(
    ' ',
  ),
)
const skipped = new Set('node_modules dist build out coverage vendor target'.split(' '))

function* walk(path) {
  if (statSync(path).isFile()) {
    yield path
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) continue
    if (entry.isDirectory()) yield* walk(join(path, entry.name))
    else if (entry.isFile() && types.has(extname(entry.name))) yield join(path, entry.name)
  }
}

/** Lines that say something, trimmed, with their numbers. */
function read(path) {
  const lines = []
  for (const [i, raw] of readFileSync(path, 'utf8').split('\n').entries()) {
    const text = raw.trim()
    if (text.length < 4 || /^(\/\/|#|\*|\/\*|import |from |use |package |export \* )/.test(text)) continue
    lines.push({ text, number: i + 1 })
  }
  return lines
}

const files = (args.length > 0 ? args : ['.'])
  .flatMap((root) => [...walk(root)])
  .filter((path) => statSync(path).size < 1 << 20 && !/\.min\./.test(path))
  .map((path) => ({ path, lines: read(path) }))

/** Every window of `least` lines, by its text. */
const windows = new Map()
for (const [file, { lines }] of files.entries()) {
  for (let at = 0; at + least <= lines.length; at++) {
    const key = lines
      .slice(at, at + least)
      .map(({ text }) => text)
      .join('\n')
    const places = windows.get(key)
    if (places) places.push({ file, at })
    else windows.set(key, [{ file, at }])
  }
}

const covered = new Set()
const runs = []
for (const places of windows.values()) {
  const open = places.filter(({ file, at }) => !covered.has(`${file}:${at}`))
  if (open.length < 2) continue
  let length = least
  const same = (n) => {
    const texts = open.map(({ file, at }) => files[file].lines[at + n]?.text)
    return texts[0] !== undefined && texts.every((text) => text === texts[0])
  }
  const overlaps = (n) =>
    open.some((a, i) => open.some((b, j) => i < j && a.file === b.file && Math.abs(a.at - b.at) <= n))
  if (overlaps(least - 1)) continue
  while (same(length) && !overlaps(length)) length++
  for (const { file, at } of open) for (let n = 0; n + least <= length; n++) covered.add(`${file}:${at + n}`)
  runs.push({ length, open })
}
runs.sort((a, b) => b.length * (b.open.length - 1) - a.length * (a.open.length - 1))
for (const { length, open } of runs.slice(0, 40)) {
  console.log(`\n${length} lines, ${open.length} places`)
  for (const { file, at } of open) {
    const { path, lines } = files[file]
    console.log(`  ${path}:${lines[at].number}-${lines[at + length - 1].number}`)
  }
  const first = files[open[0].file].lines[open[0].at]
  console.log(`  | ${first.text.slice(0, 100)}`)
}
console.log(`\n${files.length} files, ${runs.length} repeated runs of at least ${least} lines`)
