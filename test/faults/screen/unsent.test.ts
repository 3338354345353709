// A text that was typed before its thread had begun, and a screen that was killed.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../support/screen-program.ts'

it('unsent text is restored in the next session of the same directory, before older messages', async () => {
  const { start, model, data } = openScreenWorld([{ text: 'Hello.' }])
  const said = start([...model, 'say hello'])
  await said.until(/Hello\.[\s\S]*done/)
  said.program.kill('SIGTERM')
  await said.exit
  const first = start(model)
  await first.until(/Ask, or say/)
  first.type('a long first message')
  // before it has this name it is not stored
  await first.until(() => readNames(join(data, 'drafts')).some((name) => name.endsWith('.txt')))
  process.kill(first.program.pid, 'SIGKILL')
  await first.exit
  const second = start(model)
  await second.until(/Ask, or say/)
  second.type('\x1b[A')
  await second.until(/─\n a long first message\n─/)
  second.type('\x1b[A')
  await second.until(/─\n say hello\n─/)
  second.program.kill('SIGTERM')
  expect(await second.exit).toBe(143)
}, 90_000)

const readNames = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
