// The built program on a real pseudo terminal that closes, stops, fails or is flooded.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forbiddenBytes } from '../../support/emulator.ts'
import { sampleRows } from '../../support/sample.ts'
import { openScreenWorld } from '../../support/screen-program.ts'

const modesOff = /\x1b\[\?2004l.*\x1b\[\?25h/s
const say = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns the processes with these words in their command. */
function findProcesses(words: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') === words
    } catch {
      return false
    }
  })
}

describe('a terminal that closes', () => {
  const forms = ['inline', 'full', 'plain'] as const
  const ends = ['SIGHUP', 'hung up', 'unreadable'] as const
  const rows = forms.flatMap((form) => ends.map((end) => [form, end] as const))

  it.each(sampleRows(rows, 4))(
    '%s, %s: stops its run, keeps the draft, and exits with code 129',
    async (form, end) => {
      const seconds = `61.${form.length}${ends.indexOf(end)}`
      const { start, startInShell, model, drafts } = openScreenWorld([say(`exec sleep ${seconds}`)])
      const words = [...model, '--screen', form, '--approval', 'unrestricted', 'go']
      const { program, exit, until, type, hangUp } = end === 'unreadable' ? startInShell(words) : start(words)
      await until(() => findProcesses(`sleep ${seconds} `).length > 0)
      type('half a thought')
      await until(/half a thought/)
      if (end === 'SIGHUP') program.kill('SIGHUP')
      else hangUp()
      if (end === 'hung up') await waitForEnd(program.pid)
      else expect(await exit).toBe(129)
      expect(findProcesses(`sleep ${seconds} `)).toEqual([])
      expect(drafts()).toEqual(form === 'plain' ? [] : ['half a thought'])
      const again = start([...model, '--screen', form, '--continue'])
      await again.until(form === 'plain' ? /you: go/ : /> go[\s\S]*half a thought/)
      again.program.kill('SIGTERM')
      expect(await again.exit).toBe(143)
    },
  )
})

/** Waits for the end of a program whose terminal was closed. Its exit code is not available. */
async function waitForEnd(pid: number): Promise<void> {
  for (const end = Date.now() + 20_000; existsSync(`/proc/${pid}/fd/0`); await sleepMs(20))
    if (Date.now() > end) expect.fail(`process ${pid} goes on without its terminal`)
}

describe('a screen on a real terminal', () => {
  it('continues with the conversation and the draft after it was killed during a call', async () => {
    const { start, model, drafts } = openScreenWorld([
      { text: 'I run it.', calls: [{ name: 'bash', args: { command: 'sleep 60' } }] },
      { text: 'Never said.' },
    ])
    const first = start([...model, '--approval', 'unrestricted', 'Round half up'])
    await first.until(/sleep 60/)
    first.type('also the changelog')
    await first.until(/also the changelog/)
    await expect.poll(() => drafts().join(''), { timeout: 60_000 }).toContain('also the changelog')
    process.kill(first.program.pid, 'SIGKILL')
    await first.exit
    const second = start(['--continue', ...model])
    await second.until(/Round half up[\s\S]*sleep 60[\s\S]*also the changelog/)
    expect(second.screen()).toMatch(/I run it\./)
    second.type('\x15')
    second.type('\x04')
    second.type('\x04')
    expect(await second.exit).toBe(0)
    expect(second.bytes()).toMatch(modesOff)
  })

  const bugs = ['inline', 'full', 'plain'].flatMap((form) =>
    ['thrown', 'rejected'].map((how) => [form, how] as const),
  )
  it.each(sampleRows(bugs, 5))(
    '%s, an error %s: restores the terminal, reports, and exits with code 70',
    async (form, how) => {
      const { start, put, dir, data, drafts } = openScreenWorld([])
      const fault = how === 'thrown' ? 'throw error' : 'Promise.reject(error)'
      put('bug.cjs', `process.on('SIGUSR2', () => { const error = new TypeError('planted'); ${fault} })`)
      const env = { NODE_OPTIONS: `--require "${join(dir, 'bug.cjs')}"` }
      const { program, exit, until, type, bytes, screen } = start(['--screen', form], {}, env)
      await until(form === 'plain' ? /lists the commands/ : /\? help/)
      type('half a thought')
      await until(/half a thought/)
      const before = bytes().length
      process.kill(program.pid, 'SIGUSR2')
      expect(await exit).toBe(70)
      await until(/this is a bug in Anode: planted\nreport written to/)
      if (form !== 'plain') expect(bytes().slice(before)).toMatch(modesOff)
      if (form === 'full') expect(bytes().lastIndexOf('\x1b[?1049l')).toBeGreaterThan(before)
      expect(screen()).not.toContain('TypeError')
      expect(drafts()).toEqual(form === 'plain' ? [] : ['half a thought'])
      const [report = ''] = readdirSync(join(data, 'report'))
      expect(readFileSync(join(data, 'report', report), 'utf8')).toMatch(/TypeError: planted\n +at /)
    },
  )

  it.each(['inline', 'full'])('restores the terminal while it is suspended (%s)', async (form) => {
    const { start, model } = openScreenWorld([{ text: 'hello' }])
    const { program, exit, until, bytes } = start([...model, '--screen', form])
    await until(/\? help/)
    process.kill(program.pid, 'SIGTSTP')
    await until(() => modesOff.test(bytes()))
    const before = bytes().length
    process.kill(program.pid, 'SIGCONT')
    await until(() => /\x1b\[\?2004h[\s\S]*help/.test(bytes().slice(before)))
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
    expect(bytes().slice(before)).toMatch(modesOff)
    const count = (mode: string) => bytes().split(mode).length - 1
    expect(count('\x1b[?1049l')).toBe(form === 'full' ? 2 : 0)
    expect(count('\x1b[?1006l')).toBe(form === 'full' ? 2 : 0)
    if (form === 'full')
      expect(bytes().lastIndexOf('\x1b[?1006l')).toBeGreaterThan(bytes().lastIndexOf('\x1b[?1006h'))
  })

  it('prints little of a flood, and answers keys meanwhile', async () => {
    const { start, model } = openScreenWorld([])
    const { until, type, bytes, exit } = start([...model])
    await until(/\? help/)
    type("!!yes 'a line of some length that comes again and again' | head -c 50000000")
    await until(/50000000/)
    type('\r')
    await until(/─\n\n─/)
    type('still here')
    await until(/still here/)
    await until(/✔ ! bash/, 60_000)
    expect(bytes().length).toBeLessThan(200_000)
    expect(forbiddenBytes(bytes())).toEqual([])
    type('\x15\x04')
    type('\x04')
    expect(await exit).toBe(0)
  })
})
