#!/usr/bin/env node
// Lists likely secrets in text files, with the value masked. usage: find-secrets.mjs [DIR…]   (default: .)
// Prints `path:line: kind: start…(length)`; exit code 1 when something was found. Reads only, sends nothing.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const skipped = new Set('.git node_modules dist build target vendor coverage .venv venv'.split(' '))
const kinds = [
  ['private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}\b/],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}\b/],
  ['Slack token', /\bxox[abposr]-[A-Za-z0-9-]{10,}/],
  ['Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['model provider key', /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{24,}/],
  ['JSON web token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ['password in address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"]+:(?!\$|\{|<|%)([^\s:/@'"]{4,})@/i],
  [
    'assigned secret',
    /(?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["']?\s*[:=]\s*["']([^"'\s]{8,})["']/i,
  ],
]
/** Values that stand for a secret without being one. */
const sample =
  /^(?:x+|\*+|\.+|<.*>|\$\{?.*|%.*%|\{\{.*|process\.env.*|os\.environ.*)$|example|sample|dummy|placeholder|change.?me|your[_-]|test|fake|redacted/i

function* walk(path) {
  if (statSync(path).isFile()) {
    yield path
    return
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* walk(below)
    else if (entry.isFile()) yield below
  }
}

/** Bits per character; words and repeated characters score low. */
function entropy(text) {
  const counts = new Map()
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1)
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0)
}

let found = 0
let files = 0
for (const root of process.argv.length > 2 ? process.argv.slice(2) : ['.']) {
  for (const path of walk(root)) {
    if (statSync(path).size > 2 << 20) continue
    const text = readFileSync(path, 'utf8')
    if (text.includes('\0')) continue
    files++
    for (const [i, line] of text.split('\n').entries()) {
      for (const [kind, regex] of kinds) {
        const match = regex.exec(line.slice(0, 5000))
        if (!match) continue
        const value = match[1] ?? match[0]
        const isGuess = kind === 'assigned secret' || kind === 'password in address'
        if (isGuess && (sample.test(value) || entropy(value) < 2.5)) continue
        found++
        console.log(`${path}:${i + 1}: ${kind}: ${value.slice(0, 4)}…(${value.length} characters)`)
        break
      }
    }
  }
}
console.log(`${files} files read, ${found} likely secrets`)
process.exitCode = found > 0 ? 1 : 0
