// Configuration files in every shape a repository can give them: each command soon ends with a plain line.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { shareRows } from '../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = world()
  at.put('a.txt', 'one\n')
  at.put('../replies.jsonl', JSON.stringify({ text: 'done' }))
})
afterEach(() => at.remove())

const names = [
  'anode.json',
  '.anode/hooks.json',
  '.mcp.json',
  '.lsp.json',
  'AGENTS.md',
  'CLAUDE.md',
  '.anode/profiles/p.md',
  '.agents/skills/s/SKILL.md',
  '.agents/checks/c.md',
  'package.json',
  '.anode',
  '.git',
]

const shapes: Readonly<Record<string, (path: string) => void>> = {
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a gigabyte': (path) => execFileSync('truncate', ['-s', '1G', path]),
  'a circle of links': (path) => symlinkSync('a-loop', path),
}

const commands: readonly (readonly string[])[] = [
  ['doctor'],
  ['trust', '--status'],
  ['execute', 'go', '--model', 'script:../replies.jsonl'],
]

describe.each(Object.entries(shapes).map(([what, make], i) => ({ what, make, i })))(
  '$what',
  ({ make, i }) => {
    test('in place of any file that configures', async () => {
      const bad: string[] = []
      for (const name of shareRows(names, i, 6)) {
        const path = join(at.dir, name)
        rmSync(path, { recursive: true, force: true })
        mkdirSync(dirname(path), { recursive: true })
        symlinkSync('a-loop', join(dirname(path), 'a-loop'))
        make(path)
        const ends = commands.map(async (words) => {
          const began = performance.now()
          const { code, err } = await at.anode(words)
          const took = Math.round(performance.now() - began)
          if (took > 15_000 || code === null || code === 70)
            bad.push(`${name}: ${words}: ${code} ${took} ms ${err}`)
        })
        await Promise.all(ends)
        rmSync(path, { recursive: true, force: true })
        rmSync(join(dirname(path), 'a-loop'), { force: true })
      }
      expect(bad).toEqual([])
    })
  },
)
