// Sessions on a machine that builds no walls: what `require` refuses, and what `auto` does without one.
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/host/direct-call.ts'
import type { SandboxMode } from '../../../../internal/sandbox/sandbox.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Programs come from a folder whose bwrap fails as one does that the system refuses. */
async function callIn(sandbox: SandboxMode, tools: Readonly<Record<string, object>>) {
  const base = scratchWith({
    'bin/bwrap': '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n',
    'work/a.txt': 'one\n',
  })
  chmodSync(join(base, 'bin/bwrap'), 0o755)
  const session = await openDirectCalls({
    ...{ cwd: join(base, 'work'), addDirs: [], mode: 'unrestricted', approval: 'flag', record: 'always' },
    env: { PATH: `${join(base, 'bin')}:${process.env.PATH}`, HOME: base, ANODE_DATA_DIR: join(base, 'data') },
    ...{ signal: new AbortController().signal, terminal: undefined, sandbox },
  })
  try {
    const results = []
    for (const [name, args] of Object.entries(tools)) results.push(await session.call({ name, args }))
    return { results, ran: existsSync(join(base, 'work', 'ran')) }
  } finally {
    await session.close()
  }
}

test.runIf(process.platform === 'linux')(
  '`require` runs no command, and says why and what to do',
  async () => {
    const { results, ran } = await callIn('require', {
      bash: { command: 'touch ran' },
      bash_batch: { commands: [{ command: 'touch ran' }, { command: 'touch ran' }] },
      read: { path: 'a.txt' },
    })
    const [line, several, read] = results
    for (const result of [line, several]) {
      expect(result?.text).toContain('setting up uid map: Permission denied')
      expect(result?.text).toContain('anode doctor')
      expect(result?.failed?.code).toBe('unavailable')
    }
    expect(ran).toBe(false)
    // what starts no command of others needs no wall
    expect(read?.failed).toBeUndefined()
  },
)

test.runIf(process.platform === 'linux')('`auto` runs it without one', async () => {
  const { results, ran } = await callIn('auto', { bash: { command: 'touch ran' } })
  expect([results[0]?.failed, ran]).toEqual([undefined, true])
})
