// The built program on a real pseudo terminal: what happens when it goes away, stops, or is flooded.
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { describe, expect, it, onTestFinished } from 'vitest'
import { world } from '../../support/anode.ts'
import { forbiddenBytes } from '../../support/emulator.ts'
import { root } from '../../support/sources.ts'

interface Size {
  columns?: number
  rows?: number
}

function openWorld(replies: readonly object[]) {
  const here = world()
  onTestFinished(() => here.remove())
  here.put('replies.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const start = (words: readonly string[], { columns = 80, rows = 24 }: Size = {}) => {
    const env = {
      PATH: String(process.env.PATH),
      HOME: here.dir,
      ANODE_DATA_DIR: here.data,
      TERM: 'xterm-256color',
    }
    const program = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), ...words], {
      ...{ cwd: here.dir, env, cols: columns, rows },
    })
    const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true })
    let bytes = ''
    let isOver = false
    program.onData((data) => {
      bytes += data
      terminal.write(data)
    })
    const exit = new Promise<number>((resolve) => program.onExit(({ exitCode }) => resolve(exitCode)))
    void exit.then(() => {
      isOver = true
    })
    onTestFinished(() => {
      if (!isOver) process.kill(program.pid, 'SIGKILL')
    })
    const lines = () => {
      const { active } = terminal.buffer
      return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
    }
    return {
      program,
      exit,
      bytes: () => bytes,
      screen: () => lines().join('\n'),
      async until(seen: RegExp | (() => boolean), ms = 20_000) {
        const end = Date.now() + ms
        const isSeen = () => (typeof seen === 'function' ? seen() : seen.test(lines().join('\n')))
        while (!isSeen()) {
          if (Date.now() > end)
            expect.fail(`never seen: ${seen}\n${lines().join('\n').trimEnd().slice(-2_000)}`)
          await new Promise((resolve) => setTimeout(resolve, 15))
        }
      },
    }
  }
  return { ...here, start, model: ['--model', `script:${join(here.dir, 'replies.jsonl')}`] }
}

const modesOff = /\x1b\[\?2004l.*\x1b\[\?25h/s

describe('a screen on a real terminal', () => {
  it('killed in the middle of a call, goes on with the conversation and the draft', async () => {
    const { start, model } = openWorld([
      { text: 'I run it.', calls: [{ name: 'bash', args: { command: 'sleep 60' } }] },
      { text: 'Never said.' },
    ])
    const first = start([...model, '--approval', 'unrestricted', 'Round half up'])
    await first.until(/sleep 60/)
    first.program.write('also the changelog')
    await first.until(/also the changelog/)
    // a draft is kept a second after the last key
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    process.kill(first.program.pid, 'SIGKILL')
    await first.exit
    const second = start(['--continue', ...model])
    await second.until(/Round half up[\s\S]*sleep 60[\s\S]*also the changelog/)
    expect(second.screen()).toMatch(/I run it\./)
    second.program.write('\x15')
    second.program.write('\x04')
    second.program.write('\x04')
    expect(await second.exit).toBe(0)
    expect(second.bytes()).toMatch(modesOff)
  })

  it('stops its run and ends with 129 when the terminal goes away', async () => {
    const { start, model } = openWorld([{ calls: [{ name: 'bash', args: { command: 'exec sleep 61.5' } }] }])
    const { program, exit, until } = start([...model, '--approval', 'unrestricted', 'go'])
    await until(/sleep 61/)
    program.kill('SIGHUP')
    expect(await exit).toBe(129)
  })

  it.each(['inline', 'full'])('gives the terminal back while it is suspended (%s)', async (form) => {
    const { start, model } = openWorld([{ text: 'hello' }])
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

  it('passes little of a flood on, and answers keys meanwhile', async () => {
    const { start, model } = openWorld([])
    const { program, until, bytes, exit } = start([...model])
    await until(/\? help/)
    program.write("!!yes 'a line of some length that comes again and again' | head -c 50000000")
    await until(/50000000/)
    program.write('\r')
    await until(/─\n\n─/)
    program.write('still here')
    await until(/still here/)
    await until(/✔ ! bash/, 60_000)
    expect(bytes().length).toBeLessThan(200_000)
    expect(forbiddenBytes(bytes())).toEqual([])
    program.write('\x15\x04')
    program.write('\x04')
    expect(await exit).toBe(0)
  })
})
