// A guard that crashes, hangs or is missing at its first start: no tool runs, native or of a toolset.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'

vi.setConfig({ testTimeout: 60_000 })

let at: World
beforeEach(() => {
  at = world()
  at.put('a.txt', 'the content\n')
})
afterEach(() => at.remove())

const guards: [string, string | undefined][] = [
  ['missing', undefined],
  ['crashes', '#!/bin/sh\nexit 7\n'],
  ['hangs', '#!/bin/sh\nexec sleep 60\n'],
]

/** Configures the guard as the user. */
function configure(text: string | undefined): void {
  const path = join(at.dir, '..', 'guard')
  if (text !== undefined) writeFileSync(path, text, { mode: 0o755 })
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths: [path], startTimeout: 1 } }))
}

test.each(guards)('a guard that is %s at its first start denies execute and tools use', async (_, text) => {
  configure(text)
  const direct = [
    ['bash', '--allow-non-read', '--arg', 'command=touch ran'],
    ['read', '--arg', 'path=a.txt'],
    ['create_file', '--allow-non-read', '--arg', 'path=ran', '--arg', 'content=x'],
  ]
  for (const words of direct) {
    const done = await at.anode(['tools', 'use', ...words])
    expect([words[0], done]).toEqual([words[0], expect.objectContaining({ code: 4 })])
    expect(`${done.out}${done.err}`).toContain('could not be asked')
  }
  const sessions: [string[], { name: string; args: object }[]][] = [
    [
      [],
      [
        { name: 'bash', args: { command: 'touch ran' } },
        { name: 'read', args: { path: 'a.txt' } },
      ],
    ],
    [['--toolset', 'swarmie'], [{ name: 'bash', args: { command: 'touch ran' } }]],
  ]
  for (const [flags, calls] of sessions) {
    const replies = [{ calls }, { text: 'Done.' }]
    at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
    const words = ['execute', 'go', '--model', 'script:../replies.jsonl', '--approval', 'unrestricted']
    const { out } = await at.anode([...words, ...flags, '--stream-json'])
    expect(out).toContain('could not be asked')
    expect(out).not.toContain('the content')
  }
  expect(existsSync(join(at.dir, 'ran'))).toBe(false)
})
