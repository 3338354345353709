// Shells on real terminals: state between calls, their output, and their end without leftovers.
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTerminalSessions, maxTerminals } from '../../../internal/pty/terminal-sessions.ts'
import { leastWait } from '../../support/cost.ts'
import { quoteWord } from '../../support/shell-word.ts'
import { processesWith, runnerIn, scratch } from '../process/scratch.ts'

const noSandbox = {
  ...{ kind: 'workspace' as const, folders: [], protected: [], network: [], write: [], revealed: [] },
  ...{ opened: [], history: false },
}

function openTable() {
  const dir = scratch()
  const runner = runnerIn(dir)
  const table = createTerminalSessions(runner.terminal)
  const env = { PATH: String(process.env.PATH), TERM: 'dumb', FIND_ME: dir }
  const signal = new AbortController().signal
  return {
    dir,
    runner,
    table,
    start: (shell = 'bash') =>
      table.start({ shell, cwd: dir, env, sandbox: noSandbox, rows: 30, columns: 120 }),
    read: (id: string, ms = 5_000, maxChars = 16_384) => table.read(id, { ms, maxChars, signal }),
    async until(id: string, seen: RegExp): Promise<string> {
      let text = ''
      for (let i = 0; i < 2_000 && !seen.test(text) && table.find(id)?.alive; i++)
        text += (await table.read(id, { ms: 10, maxChars: 16_384, signal })).text
      return text
    },
    living: () => processesWith(`FIND_ME=${dir}`),
  }
}

const whole = async () => true

test('variables and the directory persist, and nothing is echoed or prompted', async () => {
  const { table, start, until } = openTable()
  const { id } = await start()
  expect(id).toBe('term_1')
  await table.write(id, 'A=blue; cd /usr\n', whole)
  await table.write(id, 'echo $A $PWD; tput cols; echo $TERM\n', whole)
  expect(await until(id, /dumb/)).toBe('blue /usr\n120\ndumb\n')
})

test('the shell reads when no other program does, in its current directory', async () => {
  const { table, start, until, dir } = openTable()
  const { id } = await start()
  await table.write(id, 'cd /usr && echo there\n', whole)
  await until(id, /there/)
  expect(table.lookAtInput(id)).toEqual({ folder: '/usr', typed: '' })
  await table.write(id, 'cat\n', whole)
  await table.write(id, 'half', whole)
  await table.write(id, ' a line\n', whole)
  expect(await until(id, /line/)).toBe('half a line\n')
  expect(table.lookAtInput(id)).toEqual({ folder: undefined, typed: '' })
  await table.interrupt(id, 2_000, new AbortController().signal)
  await expect.poll(() => table.lookAtInput(id).folder).toBe('/usr')
  await table.write(id, `cd ${quoteWord(dir)}; echo back\n`, async () => false)
  await until(id, /back/)
  expect(table.lookAtInput(id)).toEqual({ folder: dir, typed: `cd ${quoteWord(dir)}; echo back\n` })
  await table.interrupt(id, 2_000, new AbortController().signal)
  expect(table.lookAtInput(id).typed).toBe('')
})

const findProgram = (name: string) =>
  String(process.env.PATH)
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const lineShells = ['bash', 'sh', 'dash', 'ksh'].filter((shell) => findProgram(shell))
test.each(lineShells)('%s that starts slowly survives an immediate Ctrl-C', async (shell) => {
  const { table, start, until, dir } = openTable()
  const slow = join(dir, shell)
  writeFileSync(slow, `#!/bin/sh\nsleep 0.4\nexec ${findProgram(shell)} "$@"\n`, { mode: 0o755 })
  const { id } = await start(slow)
  await table.interrupt(id, 2_000, new AbortController().signal)
  await table.write(id, 'echo alive\n', whole)
  expect((await until(id, /alive/)).trim()).toBe('alive')
})

test.each(lineShells)('%s drops a typed command at Ctrl-C, unless it ignores Ctrl-C', async (shell) => {
  const { table, start, until } = openTable()
  const { id } = await start(shell)
  const { signal } = new AbortController()
  await table.write(id, "echo '\n", async () => false)
  await table.interrupt(id, 20_000, signal)
  expect(table.lookAtInput(id).typed).toBe('')
  await table.write(id, "trap '' INT; echo deaf\n", whole)
  await until(id, /deaf/)
  await expect.poll(() => table.lookAtInput(id).folder).toBeDefined()
  await table.write(id, "echo '\n", async () => false)
  await table.interrupt(id, 300, signal)
  expect(table.lookAtInput(id).typed).toBe("echo '\n")
  if (shell !== 'bash') return
  // the command that was not dropped takes the next line
  await table.write(id, "then '; echo $((6 * 7))\n", whole)
  expect(await until(id, /42/)).toMatch(/then [\s\S]*42/)
})

test('Ctrl-C clears the text typed in a shell that prints no sign with its prompt', async () => {
  const { table, start, dir } = openTable()
  const other = join(dir, 'other')
  writeFileSync(other, '#!/bin/sh\nexec sh\n', { mode: 0o755 })
  const { id } = await start(other)
  await table.write(id, 'for i in 1 2; do\n', async () => false)
  await table.interrupt(id, 300, new AbortController().signal)
  expect(table.lookAtInput(id).typed).toBe('')
})

test('a sign of another program, after the wait for the prompt, does not clear the typed text', async () => {
  const { table, start, until, read, dir } = openTable()
  const { id } = await start('bash')
  await table.write(id, `cd ${quoteWord(dir)}; trap '' INT; echo deaf\n`, whole)
  await until(id, /deaf/)
  await table.write(id, "(until test -e go; do sleep 0.1; done; printf '\\6signed') & echo ready\n", whole)
  await until(id, /ready/)
  await expect.poll(() => table.lookAtInput(id).folder).toBe(dir)
  await table.write(id, "echo '\n", async () => false)
  // the prompt of the command before may still be on its way
  await read(id, 500)
  await table.interrupt(id, 300, new AbortController().signal)
  writeFileSync(join(dir, 'go'), '')
  await until(id, /signed/)
  expect(table.lookAtInput(id).typed).toBe("echo '\n")
})

test('Ctrl-C in a terminal whose shell has ended says so at once', async () => {
  const { table, start, read } = openTable()
  const { id } = await start()
  await table.write(id, 'exit 3\n', whole)
  await read(id)
  const began = performance.now()
  await table.interrupt(id, 60_000, new AbortController().signal)
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(table.find(id)).toMatchObject({ alive: false, returncode: 3 })
})

test('a shell that ends is read to its end, and its children are ended', async () => {
  const { table, start, read, living } = openTable()
  const { id } = await start()
  await table.write(id, 'trap "" HUP TERM; (sleep 60 &) ; nohup sleep 60 >/dev/null 2>&1 & exit 3\n', whole)
  await read(id)
  expect(table.find(id)).toMatchObject({ alive: false, returncode: 3 })
  const ended = await table.kill(id, false)
  expect(ended).toMatchObject({ alive: false, returncode: 3 })
  expect(living()).toEqual([])
  expect(table.find(id)).toBeUndefined()
  await expect(table.kill(id, false)).rejects.toThrow('unknown terminal term_1')
})

test('a shell that ignores signals is killed after its grace period, or at once', async () => {
  const { table, start, until, living } = openTable()
  const kill = async () => {
    const { id } = await start()
    await table.write(id, 'trap "" HUP TERM; echo deaf; while :; do read x; done\n', whole)
    await until(id, /deaf/)
    const began = performance.now()
    expect(await table.kill(id, true)).toMatchObject({ alive: false, returncode: null })
    const took = performance.now() - began
    expect(living()).toEqual([])
    return took
  }
  expect(await leastWait(1_950, kill)).toBeLessThan(1_950)
})

test('unread output is limited, its loss is counted once, and it is read in parts', async () => {
  const { table, start, read, until } = openTable()
  const { id } = await start()
  await table.write(id, 'seq 100000; echo end\n', whole)
  let chars = (await until(id, /^1\n/)).length
  let dropped = 0
  for (let last = ''; !last.endsWith('end\n') && table.find(id)?.alive; ) {
    const part = await read(id, 200, 50_000)
    chars += part.text.length
    dropped += part.dropped
    last = part.text
  }
  expect(chars + dropped).toBe('end\n'.length + 588_895)
  expect((await read(id, 1)).dropped).toBe(0)
  await table.write(id, 'printf "10%%\\r100%%\\n\\033[31mred\\033[0m\\a\\n"\n', whole)
  expect(await until(id, /red/)).toBe('100%\nred\n')
})

test('limits the number of terminals, and rejects an unknown shell', async () => {
  const { start, runner, living, table } = openTable()
  await expect(start('nosuchshell')).rejects.toThrow('shell not found: nosuchshell')
  const { id: first } = await start('sh')
  await table.write(first, 'exit\n', whole)
  await expect.poll(() => table.find(first)?.alive).toBe(false)
  await Promise.all(Array.from({ length: maxTerminals }, () => start('sh')))
  // the terminal that has ended is not open
  const open = Array.from({ length: maxTerminals }, (_, i) => `term_${i + 2}`).join(', ')
  await expect(start()).rejects.toThrow(`8 terminals are open already: ${open}`)
  await runner.close()
  expect(living()).toEqual([])
})
