#!/usr/bin/env node
// Finds text that stands for something left out. usage: find-elisions.mjs FILE…
// Prints `file:line: kind: text` for each; exit code 1 when there is one, 2 for wrong use. A hit can be justified, so you decide.
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

const note = '(?://|#|/\\*|\\*|--|<!--|;|%)'
const kinds = [
  [
    'left out',
    new RegExp(
      `${note}.*\\b(?:rest|remainder|remaining|other) (?:of )?(?:the )?\\w*\\s*(?:code|file|method|function|implementation|class|test|case|field|import|logic|omitted|unchanged)\\b`,
      'i',
    ),
  ],
  [
    'left out',
    new RegExp(
      `${note}.*\\b(?:unchanged|as before|same as (?:above|before)|omitted|abbreviated|truncated|for brevity|existing (?:code|logic|implementation)|previous code|and so on|similarly for|repeat for)\\b`,
      'i',
    ),
  ],
  [
    'left out',
    /^\s*(?:\/\/|#|\/\*|<!--|--)?\s*(?:\[?\s*(?:\.{3}|…)\s*\]?|<snip>|\[snip\]|\(snip\))\s*(?:\*\/|-->)?\s*$/i,
  ],
  ['left out', new RegExp(`${note}\\s*(?:\\.{3}|…)\\s*\\w`, 'i')],
  [
    'gap',
    new RegExp(
      `${note}.*\\b(?:your|insert|add|put|fill in|implement) .*\\b(?:here|logic|code|implementation|later)\\b`,
      'i',
    ),
  ],
  ['gap', /\b(?:TODO|FIXME|XXX|TBD)\b/],
  [
    'gap',
    new RegExp(
      `${note}.*\\b(?:placeholder|stub(?:bed)?|dummy|mock implementation|simplified (?:version|implementation)|in a real|in production,? you|would (?:be|go) here|for now)\\b`,
      'i',
    ),
  ],
  [
    'not implemented',
    /\bnot (?:yet )?implemented\b|NotImplemented(?:Error|Exception)?\b|\b(?:todo|unimplemented)!\s*\(|UnsupportedOperationException\(\s*\)/i,
  ],
  ['empty', /^\s*(?:async\s+)?(?:export\s+)?(?:def|function)\b[^{]*(?:\{\s*\}|:\s*(?:pass|\.\.\.)\s*)$/],
  [
    'sample data',
    /\blorem ipsum\b|\b(?:your[-_](?:api[-_])?(?:key|token|secret|password|domain|name))\b|\bYOUR_[A-Z_]+\b|<your[ -][a-z -]+>/i,
  ],
]
/** Endings of files in which `...` or `pass` has a meaning. */
const ownEllipsis = new Set(['.py', '.pyi'])

const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: find-elisions.mjs FILE…')
  process.exit(2)
}
let found = 0
for (const file of files) {
  let lines
  try {
    lines = readFileSync(file, 'utf8').split(/\r?\n/)
  } catch (error) {
    console.error(`${file}: ${error.code ?? error.message}`)
    process.exit(2)
  }
  for (const [i, line] of lines.entries()) {
    const kind = kinds.find(([, regex]) => regex.test(line.slice(0, 2000)))?.[0]
    if (kind === undefined || (ownEllipsis.has(extname(file)) && line.trim() === '...')) continue
    found++
    console.log(`${file}:${i + 1}: ${kind}: ${line.trim().slice(0, 120)}`)
  }
  const text = lines.join('\n')
  const opened = (text.match(/^```/gm) ?? []).length
  if (/\.(md|markdown)$/.test(file) && opened % 2 === 1) {
    found++
    console.log(`${file}:${lines.length}: cut off: a fenced block is never closed`)
  }
  if (text.length > 0 && !text.endsWith('\n') && /[,({[=+&|]\s*$/.test(text)) {
    found++
    console.log(`${file}:${lines.length}: cut off: the file ends in the middle of an expression`)
  }
}
console.log(`${files.length} files, ${found} places`)
process.exitCode = found > 0 ? 1 : 0
