// Many processes, and many callers in one, change the same file: what was acknowledged is there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundle, node } from '../support/program.ts'
import { plant, scratch } from '../support/scratch.ts'
import { work } from './fixtures/file-jobs.ts'

const times = Math.max(15, Number(process.env.ANODE_FAULTS ?? 0))

async function crowd(
  names: readonly string[],
  run: (workspace: string, data: string, name: string) => Promise<string>,
) {
  const root = scratch()
  const [workspace, data] = [join(root, 'workspace'), join(root, 'data')]
  plant(workspace, { f: names.map((name) => `${name}: 0;\n`).join('') })
  const answers = await Promise.all(names.map((name) => run(workspace, data, name)))
  expect(answers).toEqual(names.map(() => String(times)))
  expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe(
    names.map((name) => `${name}: ${times};\n`).join(''),
  )
  expect(readdirSync(workspace)).toEqual(['f'])
  expect(readdirSync(join(data, 'journal'))).toEqual([])
  return names.length * times
}

it('loses no change between processes', { timeout: 600_000 }, async () => {
  const program = await bundle(join(import.meta.dirname, 'fixtures', 'file-tool.ts'), scratch())
  const count = await crowd(['p', 'q', 'r', 's'], async (workspace, data, name) => {
    const ended = await node([program, 'crowd', workspace, data, JSON.stringify({ name, times })])
    return ended.stdout || ended.stderr
  })
  console.log(`faults: four processes on one file: ${count}/${count} survived`)
})

it('loses no change between callers', { timeout: 600_000 }, async () => {
  const count = await crowd(['p', 'q', 'r', 's'], (workspace, data, name) =>
    work('crowd', workspace, data, { name, times }),
  )
  console.log(`faults: four callers on one file: ${count}/${count} survived`)
})
