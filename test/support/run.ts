// The process runner for tests of parts that take a Run; its directory is gone after the test file.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { RunCommand } from '../../internal/process/process-command.ts'
import { createRunner } from '../../internal/process/process-runner.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'anode-run-'))
const runner = createRunner({ dataDir, env: { PATH: process.env.PATH, HOME: process.env.HOME } })

afterAll(async () => {
  await runner.close()
  rmSync(dataDir, { recursive: true, force: true })
})

export const run: RunCommand = runner.run
