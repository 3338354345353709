// The end of commands: after its last output a command waits for no timer that it has left.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { planText, putModules, renameTask } from '../support/build.ts'
import { root } from '../support/sources.ts'

/** A timer that was left is far longer than this, and the samples are 5 ms apart. */
const maxMs = 60

const edit = { path: 'src/a/index.js', old_string: 'oldName', new_string: 'newName', replace_all: true }
const script = [
  { calls: [{ name: 'edit_file', args: edit }] },
  { calls: [{ name: 'shell_command', args: { command: 'echo ready' } }] },
  { text: 'Renamed.' },
]
const model = ['--model', 'script:../script.jsonl']

const rows: readonly (readonly [string, readonly string[]])[] = [
  ['build', ['build', '--plan', '../plan.json', '--json']],
  ['build with a status per line', ['build', '--plan', '../plan.json', '--workers', '2']],
  ['execute', ['execute', ...model, '--approval', 'auto', 'Rename oldName.']],
  ['execute with a check', ['execute', ...model, '--approval', 'auto', '--until', 'true', 'Rename oldName.']],
  ['study', ['study', 'What does oldName double?']],
  ['study of several workers', ['study', 'What does oldName double?', '--workers', '3']],
  ['prove', ['prove', 'node test/all.test.js']],
  ['review', ['review', ...model]],
  ['runs list', ['runs', 'list']],
  ['tools use grep', ['tools', 'use', 'grep', '--pattern', 'oldName']],
  ['tools use bash', ['tools', 'use', 'bash', '--allow-non-read', '--command', 'echo ready']],
  ['doctor', ['doctor']],
]

function prepare(): World {
  const w = world()
  putModules(w, ['a', 'b', 'c'])
  w.put('../script.jsonl', script.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  w.put('../plan.json', planText(['a', 'b', 'c'].map((id) => renameTask(id))))
  return w
}

test.each(rows)('%s ends without waiting for a timer', async (_, words) => {
  const w = prepare()
  try {
    const file = join(w.data, '..', 'timers.json')
    const preload = join(root, 'test', 'support', 'waiting-timers.cjs')
    const env = { NODE_OPTIONS: `--require "${preload}"`, ANODE_TEST_TIMERS: file }
    const { code, err } = await w.anode(words, { env })
    expect([0, 1, 3], err).toContain(code)
    const { ms, delays } = JSON.parse(readFileSync(file, 'utf8'))
    expect(ms < maxMs ? [] : delays).toEqual([])
  } finally {
    w.remove()
  }
})
