// The built program, killed while it hands out a message: never acknowledged without having been printed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../internal/store/sqlite.ts'
import { random, report, rounds, sleep } from './store/start.ts'

const program = join(import.meta.dirname, '..', '..', 'dist', 'anode.cjs')
const built = existsSync(program)
if (!built) console.log('skipped: the built program and its store (run npm run build first)')

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-built-')))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts `anode tools use` and returns its output and its exit code. */
function use(tool: string, args: Record<string, unknown>) {
  const flags = ['--allow-non-read', '--json', JSON.stringify({ ...args, scope: 'built' })]
  const child = spawn(process.execPath, [program, 'tools', 'use', tool, ...flags], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root, ANODE_DATA_DIR: join(root, 'data') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, text: () => text }
}

test.runIf(built)(
  'a reader that is killed at any moment acknowledges a message or leaves it to the next reader',
  { timeout: 600_000 },
  async () => {
    const tried = rounds(8)
    const next = random()
    const seen = { acked: 0, other: 0 }
    for (let round = 0; round < tried; round++) {
      const recipient = `box-${round}`
      expect(await use('send_message', { recipient, message: `body ${round}` }).ended).toBe(0)
      const reader = use('receive_messages', { recipient })
      // half of them somewhere on the way, half between the output and the end
      if (round % 2 === 0) await sleep(60 + next() * 120)
      else await Promise.race([once(reader.child.stdout, 'data'), reader.ended]).then(() => sleep(next() * 8))
      reader.child.kill('SIGKILL')
      await reader.ended
      const store = await openStore(join(root, 'data'))
      const kept = store.mail.list({ scope: 'built', recipient })
      store.close()
      expect(kept).toHaveLength(1)
      const acked = kept[0]?.state === 'acked'
      if (acked) expect(reader.text()).toContain(`body ${round}`)
      seen[acked ? 'acked' : 'other']++
    }
    report(`built reader killed (${seen.acked} had printed)`, tried, tried)
  },
)

test.runIf(built)(
  'a reader receives the messages of two senders, and a second reader receives none',
  { timeout: 60_000 },
  async () => {
    const send = (from: string) => use('send_message', { recipient: 'both', message: `from ${from}`, from })
    expect(await Promise.all([send('a').ended, send('b').ended])).toEqual([0, 0])
    const reader = use('receive_messages', { recipient: 'both' })
    expect(await reader.ended).toBe(0)
    expect(reader.text()).toContain('from a')
    expect(reader.text()).toContain('from b')
    const again = use('receive_messages', { recipient: 'both' })
    expect(await again.ended).toBe(0)
    expect(again.text()).toContain('No messages')
  },
)
