// The commands of a shell script that relies on proofs and comparisons, as written, with the exit code of each.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { program, type World, world } from '../support/anode.ts'
import { cheats, plantBenchmark, proofFixtures, proofWorld } from '../support/proof-project.ts'
import { full, sampleRows } from '../support/sample.ts'

vi.setConfig({ testTimeout: 300_000 })

let at: World
afterEach(() => at.remove())

const hasJq = spawnSync('jq', ['--version']).status === 0
if (!hasJq) console.log('skipped: the commands of the block that need jq')

/** Runs a line in bash, with `anode` and the scripts of models. The user allows every call. */
async function runLine(line: string) {
  const bin = join(at.dir, '../bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'anode'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'anode'), 0o755)
  at.put('../.config/anode/config.json', JSON.stringify({ permissions: [{ tool: '*', action: 'allow' }] }))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data }
  const child = spawn('bash', ['-c', line], { cwd: at.dir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

async function expectLine(line: string) {
  const { code, output } = await runLine(line)
  expect(code, `${line}\n${output}`).toBe(0)
}

/** Opens the project with the script of a model as `NAME.jsonl`, which git ignores. */
function openProject(name: string, from = name) {
  at = proofWorld()
  copyFileSync(join(proofFixtures, `${from}.jsonl`), join(at.dir, '..', `${name}.jsonl`))
}

it.skipIf(!hasJq)('an honest fix is proven', async () => {
  openProject('fix')
  await expectLine(
    'anode execute "Fix add" --until "npm test" --model script:../fix.jsonl --json | ' +
      `jq -e '.end=="done" and .proof.state=="proven"'`,
  )
})

it.each(sampleRows(Object.keys(cheats), 9))('the cheat %s ends with 5', async (name) => {
  openProject('cheat', `cheat-${name}`)
  await expectLine('anode execute "Fix add" --until "npm test" --model script:../cheat.jsonl; test $? = 5')
})

it.skipIf(!hasJq)('an idle model ends with no_change', async () => {
  openProject('idle')
  await expectLine(
    'anode execute "Fix add" --until "npm test" --model script:../idle.jsonl --json | ' +
      `jq -e '.reason=="no_change"'`,
  )
})

// test/cmd/research-compare.test.ts makes the same comparisons in the short form
it.skipIf(!full || !hasJq)('a slower commit is a loss, a changed comment is not', async () => {
  at = world()
  plantBenchmark(at.dir)
  await expectLine(
    'anode research compare HEAD~1 HEAD --cmd "node work.js" --json >../c.json; test $? = 1 && ' +
      `jq -e '.verdict=="loss"' ../c.json`,
  )
  await expectLine('anode research compare HEAD~2 HEAD~1 --cmd "node work.js" --fail-on loss,gain')
})

it.skipIf(!hasJq)('the tools of the verifier are in the list', async () => {
  at = world()
  await expectLine(
    `anode tools list --json | jq -e '[.[].name] | contains(["prove","study","study_verify","research_compare"])'`,
  )
})

it('a denied call does not change the exit code of a run that is not proven', async () => {
  openProject('cheat', 'cheat-emptied')
  const words = ['--until', 'npm test', '--model', 'script:../cheat.jsonl', '--json']
  const { code, out } = await at.anode(['execute', 'Fix add', ...words])
  expect([code, JSON.parse(out)]).toEqual([5, expect.objectContaining({ reason: 'no_change', denied: 1 })])
})
