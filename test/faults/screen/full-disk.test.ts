// A disk that is full during a session: typed text stays, and nothing runs that is not recorded. The session
// continues when there is space, also after kill -9.
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { mountDisk } from '../../support/disk.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const replies = [
  { text: 'Hello.' },
  { text: 'I look.', calls: [{ name: 'bash', args: { command: 'touch ran' } }] },
  { text: 'Looked after it.' },
]

/** Opens a session on a separate disk, after its first message. */
async function openOnDisk(test: TestContext) {
  const disk = mountDisk(test, '0700')
  if (!disk) return undefined
  const world = openScreenWorld(replies)
  const ballast = join(disk, 'ballast')
  const begin = (words: readonly string[]) =>
    world.start([...world.model, '--approval', 'ask', ...words], {}, { ANODE_DATA_DIR: disk })
  const screen = begin(['say hello'])
  await screen.until(/Hello\.[\s\S]*done/)
  return {
    ...{ begin, screen, ran: join(world.dir, 'ran') },
    fill() {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(ballast, Buffer.alloc(bavail * Number(bsize)))
    },
    free: () => rmSync(ballast),
  }
}

it('keeps a message that cannot be stored in the editor, and sends it once there is space', async (test) => {
  const opened = await openOnDisk(test)
  if (!opened) return
  const { screen, fill, free, ran } = opened
  fill()
  screen.type('look at it')
  await screen.until(/your draft cannot be saved: no space left/)
  screen.type('\r')
  await screen.until(/─\n look at it\n─+\n the disk is full: /)
  free()
  screen.type('\r')
  await screen.until(/● bash[\s\S]*y once/)
  expect(existsSync(ran)).toBe(false)
}, 60_000)

const answers = [
  { answer: 'allowed', key: 'y' },
  { answer: 'denied', key: 'n' },
]

it.for(answers)(
  'runs nothing that was $answer while the answer cannot be stored, and continues',
  { timeout: 60_000 },
  async ({ key }, test) => {
    const opened = await openOnDisk(test)
    if (!opened) return
    const { screen, fill, free, ran } = opened
    screen.type('look at it\r')
    await screen.until(/● bash[\s\S]*y once/)
    await untilAnswerable('key')
    fill()
    screen.type(key)
    await screen.until(/failed: not recorded\n the disk is full: [\s\S]*was not recorded/)
    expect(existsSync(ran)).toBe(false)
    free()
    screen.type('go on\r')
    await screen.until(/> go on[\s\S]*Looked after it\.[\s\S]*done/)
  },
)

it('can be resumed after kill -9 of a screen whose disk was full', async (test) => {
  const opened = await openOnDisk(test)
  if (!opened) return
  const { screen, begin, fill, free, ran } = opened
  screen.type('look at it\r')
  await screen.until(/● bash[\s\S]*y once/)
  await untilAnswerable('key')
  fill()
  screen.type('y')
  await screen.until(/failed: not recorded/)
  process.kill(screen.program.pid, 'SIGKILL')
  await screen.exit
  free()
  const next = begin(['--continue'])
  await next.until(/> look at it[\s\S]*I look\.[\s\S]*bash/)
  expect(existsSync(ran)).toBe(false)
  next.type('and now\r')
  await next.until(/> and now[\s\S]*done/)
}, 60_000)
