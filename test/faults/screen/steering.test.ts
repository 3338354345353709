// Actions of a user on a real terminal during a run of the built program, and the notifications about them.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openScreenWorld, typeLine } from '../../support/screen-program.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const bash = (command: string) => ({ name: 'bash', args: { command } })
const free = ['--approval', 'unrestricted']

describe('one call of several', () => {
  it.each(['inline', 'full'])(
    'is stopped from the transcript, and the others continue (%s)',
    async (form) => {
      const { start, model, dir } = openScreenWorld([
        { calls: [bash('echo first; exec sleep 63.1'), bash('sleep 1; touch second')] },
        { text: 'Both have ended.' },
      ])
      const { type, until, program, exit } = start([...model, ...free, '--screen', form, 'go'])
      await until(/● bash +echo first/)
      type('\x0f')
      await until(/Esc back/)
      // The selected block is the last one: the running call is above the waiting call.
      for (let i = 0; i < 4; i++) type('\x1b[Z')
      for (let i = 0; i < 6; i++) {
        await sleepMs(150)
        type('x')
        type('\t')
      }
      type('q')
      await until(/Both have ended\.[\s\S]*done/)
      expect(existsSync(join(dir, 'second'))).toBe(true)
      await until(/bash +echo first.*exit 143[\s\S]*✔ bash +sleep 1/)
      program.kill('SIGTERM')
      expect(await exit).toBe(143)
    },
  )

  it('is stopped from the page of running calls', async () => {
    const { start, model, dir } = openScreenWorld([
      { calls: [bash('echo first; exec sleep 63.2'), bash('touch second')] },
      { text: 'Both have ended.' },
    ])
    const { type, until, program, exit } = start([...model, ...free, 'go'])
    await until(/● bash +echo first/)
    type('/jobs')
    await until(/> *\/jobs|\/jobs/)
    type('\r')
    await until(/1 of this run/)
    type('k')
    await until(() => existsSync(join(dir, 'second')))
    type('\x1b')
    await until(/Both have ended\.[\s\S]*done/)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

describe('the plain screen on a terminal that stops', () => {
  it('is suspended with its run, and continues', async () => {
    const { start, model } = openScreenWorld([
      { calls: [bash('sleep 1; echo waited')] },
      { text: 'It waited.' },
    ])
    const { program, until, type, bytes, exit } = start([...model, ...free, '--screen', 'plain', 'go'])
    await until(/bash started/)
    process.kill(program.pid, 'SIGSTOP')
    await until(() => /^State:\s+T/m.test(readFileSync(`/proc/${program.pid}/status`, 'utf8')))
    const before = bytes().length
    await sleepMs(1_500)
    expect(bytes().length).toBe(before)
    process.kill(program.pid, 'SIGCONT')
    await until(/It waited\.[\s\S]*done /)
    type('!!echo still here\r')
    await until(/^still here|[^o] still here/m)
    // only plain lines were written
    expect(bytes()).not.toMatch(/[^\P{Cc}\r\n\x07]/u)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })

  it('continues while Ctrl-S stops its output, and prints everything after Ctrl-Q', async () => {
    const command = 'seq 1 3000 | sed s/^/row/; sleep 1; touch answered'
    const { start, model, dir } = openScreenWorld([{ calls: [bash(command)] }, { text: 'It answered.' }])
    const { program, until, type, bytes, exit } = start([...model, ...free, '--screen', 'plain', 'go'])
    await until(/bash started/)
    type('\x13')
    await until(() => existsSync(join(dir, 'answered')))
    await sleepMs(500)
    expect(bytes()).not.toMatch(/bash ended|It answered/)
    type('\x11')
    await until(/bash ended, exit 0[\s\S]*anode: It answered\.\ndone /)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })

  it('ends at SIGTERM while the terminal is not read', async () => {
    const { start, model, stored } = openScreenWorld([
      { calls: [bash('yes row | head -c 3000000')] },
      { text: 'end' },
    ])
    const { program, until, type, exit } = start([...model, ...free, '--screen', 'plain'])
    await until(/lists the commands/)
    program.pause()
    type('go\r')
    await expect.poll(stored, { timeout: 60_000 }).toContain('tool.result')
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

describe('a program that notifies the user', () => {
  it.each(['inline', 'full'])('starts once with the notification as arguments (%s)', async (form) => {
    const { start, put, model, dir } = openScreenWorld([{ calls: [bash('touch made')] }, { text: 'end' }])
    const line = `printf '%s|' "$@" >> '${join(dir, 'told')}'`
    put(
      '../.config/anode/config.json',
      JSON.stringify({ ui: { notify: ['/bin/sh', '-c', line, 'sh', 'given'] } }),
    )
    const { program, until, bytes, exit } = start([...model, '--approval', 'ask', '--screen', form, 'go'])
    await until(() => existsSync(join(dir, 'told')))
    expect(readFileSync(join(dir, 'told'), 'utf8')).toBe('given|anode waits for an answer|')
    await sleepMs(600)
    // notified once, and by this program alone
    expect(readFileSync(join(dir, 'told'), 'utf8')).toBe('given|anode waits for an answer|')
    expect(bytes().replace(/\x1b\][^\x07]*\x07/g, '')).not.toContain('\x07')
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

it('passes the text after /compact to the request for a summary', async () => {
  const here = openScreenWorld([])
  const bodies: string[] = []
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      bodies.push(body)
      const choice = {
        index: 0,
        delta: { content: `reply ${bodies.length} ${'word '.repeat(400)}` },
        finish_reason: 'stop',
      }
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.end(`data: ${JSON.stringify({ id: 'x', choices: [choice] })}\n\ndata: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const near = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'x', window: 30_000, model: 'one' }
  here.put('../.config/anode/config.json', JSON.stringify({ providers: { near } }))
  const screen = here.start(['--model', 'near/one'])
  const { until, program, exit } = screen
  await until(/\? help/)
  for (let i = 0; i < 8; i++) {
    const before = bodies.length
    await typeLine(screen, `question ${i}`)
    await until(() => bodies.length > before)
    await until(new RegExp(`(?:done [\\s\\S]*){${i + 1}}`))
  }
  await typeLine(screen, '/compact the rounding of carts')
  await until(/compacted \d\S* to \d\S* tokens, \d+ messages/)
  // the summary is requested at the end of the conversation itself
  const summary = JSON.parse(bodies.at(-1) ?? '{}')
  expect(summary.messages.length).toBeGreaterThan(8)
  expect(JSON.stringify(summary.messages.at(-1))).toMatch(/the rounding of carts/)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

it('shows changes of more than 2,000 lines on a page, fewer in the scrollback', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')
  const write = (path: string, count: number) => ({
    calls: [{ name: 'create_file', args: { path, content: `${lines(count)}\n` } }],
  })
  const { start, model } = openScreenWorld([
    write('small.txt', 60),
    { text: 'one' },
    write('large.txt', 2_200),
    { text: 'two' },
  ])
  const opened = start([...model, ...free, 'go'])
  const { type, until, program, screen, exit } = opened
  await until(/one\n[\s\S]*done/)
  const show = () => typeLine(opened, '/diff')
  await show()
  await until(/60 \+line 59|\+ +60 +line 59/)
  expect(screen()).not.toContain('Esc back')
  await typeLine(opened, 'more')
  await until(/two\n[\s\S]*done/)
  await show()
  // keys that arrive before the page opens go to the prompt
  await until(/lines 1-\d+ of 2262\b.*Esc back/)
  type('\x1b[F')
  await until(/line 2199/)
  type('q')
  await until(/\? help/)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})
