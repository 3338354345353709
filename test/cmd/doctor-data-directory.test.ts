// What `anode doctor` says when the data directory cannot be used: that directory is to blame and nothing else.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const rowsOf = async (data: string) => {
  const { code, out } = await at.anode(['doctor', '--json'], { env: { ANODE_DATA_DIR: data } })
  const rows = JSON.parse(out) as { what: string; state: string; detail: string }[]
  return { code, rows: new Map(rows.map((row) => [row.what, row])) }
}

it.each(['/proc/x', '/proc/x/y', '/dev/null/data', 'FILE', 'FILE/data', '/sys/anode'])(
  'doctor with the data directory %s',
  async (path) => {
    writeFileSync(join(at.dir, 'FILE'), 'x')
    const { rows } = await rowsOf(path.startsWith('/') ? path : join(at.dir, path))
    const usable = (await rowsOf(join(at.dir, 'data'))).rows
    expect(rows.get('data directory')?.state).toBe('broken')
    expect(rows.get('database')?.detail).toMatch(/^the data directory cannot be used/)
    for (const what of ['git', 'bash', 'ctags', 'sandbox', 'workspace', 'shell grammar'])
      expect([what, rows.get(what)?.state]).toEqual([what, usable.get(what)?.state])
  },
)
