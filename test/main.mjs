// `npm test`: build, types and lint at the same time, then the tests: a sample of each long file, or all with
// `--all` or the paths of files. Exits with 1 and a line with the failed steps.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = (name) => join(root, 'node_modules', '.bin', name)

/** Steps that must pass before the tests run. */
const steps = [
  { name: 'build', file: process.execPath, args: ['cmd/build/main.mjs'] },
  { name: 'types', file: bin('tsc'), args: ['--noEmit'] },
  { name: 'lint', file: bin('biome'), args: ['check', '.'] },
]

/** Runs a step. Resolves with whether it exited with 0. Prints its output at its end, in one piece. */
function isPassing({ file, args }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
    child.on('error', (error) => said.push(`${error.message}\n`))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said.map((part) => Buffer.from(part))))
      resolve(code === 0)
    })
  })
}

/** Number of the sample of each long file. Another one selects other tests. */
const sample = process.env.ANODE_SAMPLE || '1'

const words = process.argv.slice(2)
const files = words.filter((word) => word !== '--all')
const env = { ...process.env }
if (words.length === 0) env.ANODE_SAMPLE = sample
else delete env.ANODE_SAMPLE

const results = await Promise.all(steps.map(isPassing))
const failed = steps.filter((_, i) => !results[i]).map(({ name }) => name)
if (failed.length === 0) {
  const child = spawn(bin('vitest'), ['run', ...files], { cwd: root, stdio: 'inherit', env })
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)))
  if (code !== 0) failed.push('unit')
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
