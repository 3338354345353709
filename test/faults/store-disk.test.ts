// A disk that fills up or turns read-only, on a small separate file system.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { UserError } from '../../internal/base/errors.ts'
import { fingerprint } from '../../internal/base/fingerprint.ts'
import { openStore } from '../../internal/store/sqlite.ts'
import { type Ground, prepare, report } from './store/start.ts'

const canMount = process.platform === 'linux' && process.getuid?.() === 0
if (!canMount) console.log('skipped: store on a full or read-only disk (mounting needs root on Linux)')

let ground: Ground
const mounted: string[] = []
beforeAll(async () => {
  ground = await prepare()
})
afterEach(() => {
  for (const dir of mounted.splice(0)) execFileSync('umount', ['-l', dir])
})
afterAll(() => ground.clear())

function mount(size: string): string {
  const dir = ground.fresh()
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', dir])
  mounted.push(dir)
  return dir
}

test.runIf(canMount)(
  'reports a disk that fills up with its path, and loses nothing acknowledged',
  async () => {
    const disk = mount('2m')
    const dir = join(disk, 'data')
    const child = ground.start(dir, 'fill', 'f')
    expect(await child.ended).toBe(1)
    const lines = child.lines()
    const failed = lines.find(([word]) => word === 'failed') ?? []
    const error = JSON.parse(failed.slice(1).join(' ')) as { message: string; failure?: { code: string } }
    expect(error.failure?.code).toBe('io')
    expect(error.message).toContain(dir)

    expect(readdirSync(join(dir, 'blob', 'tmp'))).toEqual([])
    execFileSync('mount', ['-o', 'remount,size=8m', disk])
    const store = await openStore(dir)
    const bodies = store.mail.list({ scope: 'faults' }).map(({ message }) => message.body)
    for (const [word, name, n] of lines) if (word === 'sent') expect(bodies).toContain(`${name} ${n}`)
    for (const [word, hash = ''] of lines)
      if (word === 'blob') expect(fingerprint(store.blobs.get(hash) ?? '')).toBe(hash)
    expect(store.mail.send({ scope: 's', from: 'a', to: 'b', type: 'status', body: 'again' }).duplicate).toBe(
      false,
    )
    store.close()
    report('disk fills up under a writer', 1, 1)
  },
)

test.runIf(canMount)(
  'a disk that fills up under an open store: the call fails, the next one works',
  async () => {
    const disk = mount('2m')
    const store = await openStore(join(disk, 'data'))
    const { id } = store.threads.create({ workspace: '/w', title: 't', profile: 'p' })
    const entry = { type: 'message' as const, payload: { role: 'user' as const, text: 'y'.repeat(20_000) } }
    let kept = 0
    const fill = () => {
      for (;;) kept = store.threads.append(id, 'r', [entry, entry]).at(-1)?.pos ?? kept
    }
    expect(fill).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: 'io' }) }))
    expect(store.threads.get(id)?.events).toBe(kept)
    execFileSync('mount', ['-o', 'remount,size=16m', disk])
    expect(store.threads.append(id, 'r', [entry])[0]?.pos).toBe(kept + 1)
    store.close()
    report('disk fills up under an open store', 1, 1)
  },
)

test.runIf(canMount)('reports a full disk at the first start as an error of the user', async () => {
  const disk = mount('64k')
  writeFileSync(join(disk, 'ballast'), 'x'.repeat(60_000))
  const error = await openStore(join(disk, 'data')).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UserError)
  expect((error as Error).message).toContain(disk)
  rmSync(join(disk, 'ballast'))
  execFileSync('mount', ['-o', 'remount,size=8m', disk])
  const store = await openStore(join(disk, 'data'))
  store.todos.replace('t', [])
  store.close()
  report('first start on a full disk', 1, 1)
})

test.runIf(canMount)('a read-only disk: rejects writes with the path, and reads', async () => {
  const disk = mount('8m')
  const dir = join(disk, 'data')
  // in a separate process, because an open handle would keep the disk from turning read-only
  expect(await ground.start(dir, 'send', 'a', 'box', '3').ended).toBe(0)
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const refused = await openStore(dir).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(refused).toBeInstanceOf(UserError)
  expect((refused as Error).message).toContain(dir)
  const reader = await openStore(dir, { readOnly: true })
  expect(reader.mail.list({ scope: 'faults' })).toHaveLength(3)
  reader.close()
  const none = await openStore(join(disk, 'none')).catch((thrown: unknown) => thrown)
  expect(none).toBeInstanceOf(UserError)
  report('read-only disk', 1, 1)
})
