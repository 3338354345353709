// Sessions on a machine without a sandbox: the commands that `require` rejects, and that `auto`
// runs without one.
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { openSessionSandbox } from '../../../../internal/runtime/processes/session-sandbox.ts'
import type { SandboxMode } from '../../../../internal/sandbox/sandbox.ts'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { bash } from '../../../../internal/tools/shell/bash.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run } from '../../../support/run.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Runs tools with programs from a directory whose bwrap fails as if the system denied it. */
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
  '`require` runs no command, and prints the reason and a fix',
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
    // a tool that starts no other programs needs no sandbox
    expect(read?.failed).toBeUndefined()
  },
)

test.runIf(process.platform === 'linux')('`auto` runs the command without a sandbox', async () => {
  const { results, ran } = await callIn('auto', { bash: { command: 'touch ran' } })
  expect([results[0]?.failed, ran]).toEqual([undefined, true])
})

test.each<SandboxMode>(['off', 'auto'])('`%s` without a sandbox records changed files', async (mode) => {
  const base = scratchWith({ 'bin/bwrap': '#!/bin/sh\nexit 1\n', 'work/a.txt': 'one\n', 'work/c.txt': 'c' })
  chmodSync(join(base, 'bin/bwrap'), 0o755)
  const cwd = join(base, 'work')
  const env = { PATH: `${join(base, 'bin')}:${process.env.PATH}`, HOME: base }
  const sandbox = await openSessionSandbox(mode, { data: join(base, 'data'), env, run })
  const written: string[] = []
  const append = async (draft: EventDraft) => {
    if (draft.type === 'file.written') written.push(draft.payload.path.slice(cwd.length + 1))
  }
  const log = { append, keep: async () => 'kept' }
  const ctx = ctxWith(
    { processes: { run, sandbox: async () => sandbox } },
    { cwd, env, log, call: { id: 'call_1', tool: 'bash' } },
  )
  await call(bash, { command: 'touch ran; echo two > a.txt; mkdir d; echo x > d/b.txt; rm c.txt' }, ctx)
  expect(written.sort()).toEqual(['a.txt', 'c.txt', 'd/b.txt', 'ran'])
})
