// Exit codes of pipes, as a real bash reports them through the tool.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunner, type ProcessRunner } from '../../../internal/process/process-runner.ts'
import type { Ctx } from '../../../internal/tool/ctx.ts'
import { readPipe, watchPipe } from '../../../internal/tool-support/pipe-status.ts'
import { bash } from '../../../internal/tools/bash.ts'
import { call, ctxWith } from '../../support/ctx.ts'

let dir: string
let runner: ProcessRunner
let ctx: Ctx
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-pipe-')))
  runner = createRunner({ dataDir: join(dir, 'data'), env: process.env })
  ctx = ctxWith({ run: runner.run }, { cwd: dir, env: { PATH: process.env.PATH } })
})
afterAll(async () => {
  await runner.close()
  rmSync(dir, { recursive: true, force: true })
})

const commands: [command: string, exit: number, pipe: number[] | undefined][] = [
  ['false | true', 0, [1, 0]],
  ['true | true', 0, undefined],
  ['(exit 2) | cat 2>&1 | tail -1', 0, [2, 0, 0]],
  ['cd / && (exit 3) | cat', 0, [3, 0]],
  ['set -o pipefail; (exit 4) | cat', 4, [4, 0]],
  ['false | true; exit 5', 5, [1, 0]],
  ['false || true', 0, undefined],
  ['echo "a | b"', 0, undefined],
  ['# a comment with |\n(exit 6) | true', 0, [6, 0]],
  ['cat <<E | (exit 7)\na\nE', 7, [0, 7]],
  ['export TMPDIR=/nowhere; false | true', 0, [1, 0]],
  ['trap : EXIT; false | true', 0, undefined],
  ['set -eu; true | false; echo no', 1, [0, 1]],
  ["false |& cat # it's", 0, [1, 0]],
]

describe.each(commands)('%s', (command, exit, pipe) => {
  it('shows and records the exit code of each command', async () => {
    const result = await call(bash, { command }, ctx)
    expect(result.data).toMatchObject({ exit })
    expect((result.data as { pipe?: number[] }).pipe).toEqual(pipe)
    const parts = pipe ? `, in the pipe ${pipe.join(' ')}` : ''
    expect(result.text).toContain(exit === 0 ? `[exit 0${parts}]` : `exit ${exit}${parts}`)
    expect(result.text).not.toContain('PIPESTATUS')
  })
})

it('leaves commands without a pipe alone, and takes nothing else for codes', () => {
  expect(watchPipe('npm test || echo no')).toBeUndefined()
  for (const report of [undefined, '', '0', '1', 'a b', '1 999', '1 -1', '0 0'])
    expect(readPipe(report)).toBeUndefined()
  expect(readPipe('141 0 ')).toEqual([141, 0])
})
