// Examples of the manual: each console block runs in a new workspace and prints the output that
// the page shows.
//
// ```console   lines after `$ ` run in bash, in one workspace per page; the output follows, both
// streams in order
// ```js file=src/a.ts   is written to that file of the workspace before the next console block runs
//
// In an output `…` within a line matches any text, and a line with only `…` matches any number of lines.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { filesBelow, read, root } from '../support/sources.ts'

interface Block {
  language: string
  file: string | undefined
  text: string
}

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\S+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', file, text = '']) => ({ language, file, text }),
  )

/** Returns the commands of a console block with the output of each. */
function steps(text: string): { command: string; output: string[] }[] {
  const found: { command: string; output: string[] }[] = []
  for (const line of text.trimEnd().split('\n')) {
    const last = found.at(-1)
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), output: [] })
    else if (last?.command.endsWith('\\') && last.output.length === 0) last.command += `\n${line}`
    else last?.output.push(line)
  }
  return found
}

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the expression that the output must match. */
function pattern(lines: readonly string[]): RegExp {
  const parts = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*?' : `${escapeText(line.trimEnd()).replaceAll('…', '.*?')}[ \\t]*\\n`,
  )
  return new RegExp(`^${parts.join('')}$`)
}

let w: World
beforeEach(() => {
  w = world()
  const bin = join(w.dir, '..', 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'anode'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist', 'anode.cjs')}" "$@"\n`,
  )
  chmodSync(join(bin, 'anode'), 0o755)
  // as if it were installed for the programs of the page, outside of their workspace
  mkdirSync(join(w.dir, '..', 'node_modules'))
  symlinkSync(root, join(w.dir, '..', 'node_modules', 'anode-cli'))
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: w.dir })
  execFileSync('git', ['config', 'user.email', 'you@example.org'], { cwd: w.dir })
  execFileSync('git', ['config', 'user.name', 'You'], { cwd: w.dir })
})
afterEach(() => w.remove())

function run(command: string): string {
  const home = dirname(w.dir)
  const done = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd: w.dir,
    encoding: 'utf8',
    input: '',
    env: {
      PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
      HOME: home,
      ANODE_DATA_DIR: w.data,
      LC_ALL: 'C.UTF-8',
    },
  })
  return done.stdout
}

const pages = ['README.md', ...filesBelow('manual', '.md')]
  .map((file) => ({ file, blocks: blocksOf(read(file)) }))
  .filter(({ blocks }) => blocks.some(({ language }) => language === 'console'))

describe('examples of the manual', () => {
  test.each(pages)(
    '$file',
    ({ blocks }) => {
      for (const { language, file, text } of blocks) {
        if (file !== undefined) w.put(file, text)
        if (language !== 'console') continue
        for (const { command, output } of steps(text)) {
          const shown = run(command)
          if (output.length > 0) expect(shown, `$ ${command}`).toMatch(pattern(output))
        }
      }
    },
    120_000,
  )

  test('the manual has examples', () => {
    expect(pages.length).toBeGreaterThan(2)
  })
})
