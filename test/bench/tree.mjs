// Creates a source tree of n small files for the search benchmarks: `node test/bench/tree.mjs <dir> <n>
// [seed]`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const extensions = ['ts', 'ts', 'ts', 'go', 'go', 'py', 'md', 'json', 'txt']
const words =
  'alpha beta gamma delta request response server client handler store event thread policy token parse fold merge'.split(
    ' ',
  )

/** Returns a generator of numbers in [0, 1) that depend only on the seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Writes exactly `count` files below `dir`, twenty per directory, the same for the same seed. Also writes
 * ignored files (`build/`, `*.log`) and a .gitignore for them. One file in a hundred has the word `needle`.
 */
export function plant(dir, count, seed = 1) {
  const next = random(seed)
  const pick = (list) => list[Math.floor(next() * list.length)]
  const put = (path, text) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  put('.gitignore', 'build/\n*.log\n')
  for (let made = 0; made < count; made++) {
    const folder = Math.floor(made / 20)
    const path = `${words[folder % 7]}/${words[folder % 17]}${folder}/${pick(words)}-${made}.${pick(extensions)}`
    put(path, body(made, next, pick))
    if (made % 50 === 0) put(`build/out${made}.js`, 'needle\n')
    if (made % 500 === 0) put(`${path}.log`, 'needle\n')
  }
}

function body(made, next, pick) {
  const lines = Array.from({ length: 10 + Math.floor(next() * 40) }, (_, i) => {
    if (i % 9 === 0) return `export function ${pick(words)}${made}_${i}(${pick(words)}) {`
    return `  const ${pick(words)} = ${pick(words)}.${pick(words)}(${Math.floor(next() * 1e6)})`
  })
  if (made % 100 === 7) lines.push('// here is the needle of this file')
  return `${lines.join('\n')}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [dir, count, seed] = process.argv.slice(2)
  if (!dir || !Number.isInteger(Number(count))) {
    console.error('usage: node test/bench/tree.mjs <dir> <n> [seed]')
    process.exitCode = 2
  } else plant(dir, Number(count), Number(seed ?? 1))
}
