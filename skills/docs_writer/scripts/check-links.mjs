#!/usr/bin/env node
// Checks relative links and heading anchors of Markdown files. usage: check-links.mjs FILE…
// Prints `file:line: problem` for each broken link; exit code 1 when there is one, 2 for wrong use. Opens no network.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Lines outside of fenced code, with their numbers; code keeps its line but loses its text. */
function prose(text) {
  let fence = ''
  return text.split(/\r?\n/).map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && fence === '') fence = mark
    else if (mark && fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '') return line.replace(/`[^`]*`/g, '')
    return ''
  })
}

/** Anchors as GitHub makes them: lower case, punctuation removed, blanks to hyphens, repeats numbered. */
function anchorsOf(text) {
  const seen = new Map()
  const anchors = new Set()
  let fence = ''
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    for (const [, id] of line.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id)
    const heading = fence === '' && /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1]
    if (!heading) continue
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

/** Returns the problem of a link target, or undefined. */
function problem(target, file) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return undefined
  const [path, anchor] = target.split('#', 2)
  let place = file
  if (path) {
    let decoded = path.split('?')[0]
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return `not a valid address: ${target}`
    }
    place = decoded.startsWith('/') ? join(process.cwd(), decoded) : resolve(dirname(file), decoded)
    if (!existsSync(place)) return `no such file: ${target}`
  }
  if (!anchor || statSync(place).isDirectory() || !/\.(md|markdown)$/i.test(place)) return undefined
  return anchorsOf(readFileSync(place, 'utf8')).has(anchor.toLowerCase())
    ? undefined
    : `no such heading: ${target}`
}

const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: check-links.mjs FILE…')
  process.exit(2)
}
let links = 0
let broken = 0
for (const file of files) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    console.error(`${file}: ${error.code ?? error.message}`)
    process.exit(2)
  }
  for (const [i, line] of prose(text).entries()) {
    const inline = [...line.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
    const defined = [...line.matchAll(/^\s{0,3}\[[^\]^]+\]:\s*<?([^\s>]+)/g)]
    for (const [, target] of [...inline, ...defined]) {
      links++
      const what = problem(target, file)
      if (!what) continue
      broken++
      console.log(`${file}:${i + 1}: ${what}`)
    }
  }
}
console.log(`${links} links in ${files.length} files, ${broken} broken`)
process.exitCode = broken > 0 ? 1 : 0
