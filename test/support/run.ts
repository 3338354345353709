// The process runner for tests of parts that take a Run; its directory is gone after the test file.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunCommand } from '../../internal/process/process-command.ts'
import { createRunner } from '../../internal/process/run-command.ts'
import { onFileEnd } from './file-end.ts'

let current: RunCommand | undefined

function start(): RunCommand {
  const dataDir = mkdtempSync(join(tmpdir(), 'anode-run-'))
  const runner = createRunner({ dataDir, env: { PATH: process.env.PATH, HOME: process.env.HOME } })
  onFileEnd(async () => {
    current = undefined
    await runner.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return runner.run
}

export const run: RunCommand = (command) => {
  current ??= start()
  return current(command)
}
