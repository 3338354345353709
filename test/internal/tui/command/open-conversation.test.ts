// Another conversation on the same screen: its settings, and the end of the current one.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../../support/screen-program.ts'

const enter = '\r'

it.each([
  ['/new', enter],
  ['/fork', enter],
  ['/rewind', `${enter}\x1b[A${enter}c`],
])('%s keeps the mode that was set, and no wider one', async (command, keys) => {
  const { model, start } = openScreenWorld([{ text: 'one' }, { text: 'two' }])
  const { type, until, screen } = start([...model, '--approval', 'ask', 'begin'])
  await until(/ ask {2}ctx [\s\S]*\? help/)
  await until(/done/)
  type(command)
  await until(new RegExp(`${command}`))
  for (const key of keys.match(/\x1b\[A|[\s\S]/g) ?? []) {
    type(key)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  await until(() => {
    const status = screen()
      .split('\n')
      .findLast((row) => /\bctx\b/.test(row))
    return /script:.* ask /.test(status ?? '') && !/begin/.test(screen().split('\n').at(-1) ?? '')
  })
  expect(screen()).not.toMatch(/ auto .*ctx/)
})

it('stays in the thread if the other thread is unknown, and prints nothing twice', async () => {
  const { model, start } = openScreenWorld([{ text: 'only once' }])
  const { type, until, screen } = start([...model, 'begin'])
  await until(/done/)
  type('/resume nothere')
  await until(/resume nothere/)
  type(enter)
  await until(/no thread named nothere; see/)
  expect(screen().match(/only once/g)).toHaveLength(1)
})

it('asks before it stops running work', async () => {
  const { model, start } = openScreenWorld([{ text: 'late', delay_ms: 60_000 }, { text: 'two' }])
  const { type, until, screen } = start([...model, 'begin'])
  await until(/works/)
  const leave = async () => {
    type('/new')
    await until(/\n \/new/)
    type(enter)
    await until(/s stop it and switch/)
  }
  await leave()
  type('\x1b')
  await until(() => !/stop it and switch/.test(screen()))
  await until(/works/)
  await leave()
  type('s')
  await until(/Ask, or say what to do/)
  expect(screen()).toMatch(/cancelled|stopped|interrupted/)
})
