// Five small projects (Go, Rust, Python, Node, C), each set up with the lines of manual/research.md.
//   node test/trials/projects.mjs [NAME…]
// Runs the code block below each heading of "Tool chains" in a fresh repository with the built program, and
// prints the seconds of each. A tool chain that is missing is skipped with the reason. Exit 1 if a project
// fails or takes too long.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const named = process.argv.slice(2)
const maxSeconds = 300

const rustMain = `fn main() {
    let mut sum: u64 = 0;
    for i in 0..40_000_000u64 { sum = sum.wrapping_mul(31).wrapping_add(i); }
    println!("{}", sum);
}
`
const goSum = `package sum

// Sum adds the numbers below n.
func Sum(n int) int {
	total := 0
	for i := 0; i < n; i++ {
		total += i % 7
	}
	return total
}
`
const goTest = `package sum

import "testing"

var result int

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		result = Sum(10000)
	}
}
`
const cSum = `#include <stdio.h>
int main(void) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < 40000000; i++) sum = sum * 31 + i;
  printf("%lu\\n", sum);
  return 0;
}
`
const nodeSum = 'export const sum = (n) => { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s }\n'
const lock = {
  ...{ name: 'sum', version: '1.0.0', lockfileVersion: 3, requires: true },
  packages: { '': { name: 'sum', version: '1.0.0' } },
}

const projects = [
  {
    ...{ name: 'Go', needs: 'go' },
    files: { 'go.mod': 'module example.org/sum\n\ngo 1.18\n', 'sum.go': goSum, 'sum_test.go': goTest },
  },
  {
    ...{ name: 'Rust', needs: 'cargo' },
    files: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/main.rs': rustMain,
      '.gitignore': 'target\n',
    },
  },
  {
    ...{ name: 'Python', needs: 'python3' },
    files: {
      'requirements.txt': '',
      'src/total.py': 'def total(n):\n    return sum(i % 7 for i in range(n))\n',
      'bench.py': 'from total import total\nprint(total(2_000_000))\n',
      '.gitignore': '.venv\n__pycache__\n',
    },
  },
  {
    ...{ name: 'Node', needs: 'npm' },
    files: {
      'package.json': '{ "name": "sum", "version": "1.0.0" }\n',
      'package-lock.json': `${JSON.stringify(lock)}\n`,
      'src/sum.mjs': nodeSum,
      'bench.mjs': "import { sum } from './src/sum.mjs'\nconsole.log(sum(50_000_000))\n",
      '.gitignore': 'node_modules\n',
    },
  },
  { name: 'C and C++', needs: 'cc', files: { 'sum.c': cSum } },
]

/** Returns the first code block below a heading of the page. */
function blockBelow(heading) {
  const page = readFileSync(join(root, 'manual/research.md'), 'utf8')
  const [, below] = page.split(`\n### ${heading}\n`)
  const block = /^```\n([\s\S]*?)^```$/m.exec(below?.split('\n##')[0] ?? '')?.[1]
  if (!block) throw new Error(`manual/research.md has no code block below the heading "${heading}"`)
  return block
}

const has = (program) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0

function plant(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const git = (...words) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' })
  git('init', '-q')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  git('add', '-A')
  git('commit', '-qm', 'first')
}

/** Writes a program `anode` for the lines of the manual. */
function placeProgram(bin) {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'anode'), `#!/bin/sh\nexec node ${join(root, 'dist/anode.cjs')} "$@"\n`)
  chmodSync(join(bin, 'anode'), 0o755)
}

function tryProject({ name, needs, files }, work) {
  if (!has(needs)) return { name, skipped: `${needs} is not installed` }
  const folder = join(work, needs)
  plant(folder, files)
  const PATH = `${join(work, 'bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH, ANODE_DATA_DIR: join(work, 'data') }
  const begun = Date.now()
  const options = { cwd: folder, env, encoding: 'utf8', timeout: maxSeconds * 1_000 }
  const done = spawnSync('bash', ['-euo', 'pipefail', '-c', blockBelow(name)], options)
  const seconds = (Date.now() - begun) / 1_000
  const output = `${done.stdout}${done.stderr}`
  const isBaseline = /baseline/.test(done.stdout) && done.status === 0
  return { name, seconds, failed: isBaseline ? undefined : output.slice(-3_000) }
}

const work = mkdtempSync(join(tmpdir(), 'projects-'))
let failures = 0
try {
  placeProgram(join(work, 'bin'))
  for (const project of projects) {
    if (named.length > 0 && !named.includes(project.needs)) continue
    const { name, seconds, skipped, failed } = tryProject(project, work)
    if (failed !== undefined) failures++
    const said = skipped === undefined ? `${seconds.toFixed(1)} s` : `skipped: ${skipped}`
    console.log(`${name}: ${failed === undefined ? said : `failed after ${said}\n${failed}`}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
