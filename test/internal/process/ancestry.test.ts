// The detection of processes below a running Anode, also with an empty environment. Other processes
// are not detected.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isBelowAnode } from '../../../internal/process/ancestry.ts'
import { bundle } from '../../support/program.ts'
import { root } from '../../support/sources.ts'
import { bash, runnerIn, scratch } from './scratch.ts'

/** Returns a command that checks from within `data`. The path may contain spaces. */
let asking: (data: string) => string
beforeAll(async () => {
  const dir = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  const entry = join(dir, 'entry.ts')
  const source = join(root, 'internal', 'process', 'ancestry.ts')
  writeFileSync(
    entry,
    `import { isBelowAnode } from '${source}'\nconsole.log(isBelowAnode(process.env, process.argv[2] ?? ''))\n`,
  )
  const program = await bundle(entry, dir)
  asking = (data) => {
    writeFileSync(join(data, 'ask.sh'), `exec '${process.execPath}' '${program}' '${data}'\n`)
    return 'bash ask.sh'
  }
  return () => execFileSync('rm', ['-rf', dir])
})

test.each([
  ['as it is', (line: string) => line],
  ['with an empty environment', (line: string) => `env -i ${line}`],
  ['in a session of its own', (line: string) => `setsid -w ${line}`],
  ['below other shells', (line: string) => `env -i bash -c "env -i bash -c '${line}; true'; true"`],
])('%s', async (_, wrap) => {
  const data = scratch()
  const { run } = runnerIn(data)
  expect((await run(bash(wrap(asking(data)), data))).stdout.text).toBe('true\n')
})

test('a process next to a running Anode does not count as started by it', async () => {
  const { PATH } = process.env
  const cwd = scratch()
  const line = ['-c', `${asking(cwd)}; true`]
  expect(execFileSync('bash', line, { cwd, env: { PATH }, encoding: 'utf8' })).toBe('false\n')
  expect(isBelowAnode({ ANODE_RUN: 'x' }, scratch())).toBe(true)
})
