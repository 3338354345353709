// `anode` on a real terminal, as lines: questions by number, stopping, leaving, killing, and what pipes get.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { world } from '../support/anode.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'
import { untilAnswerable } from '../support/waiting.ts'

function place(replies: readonly object[]) {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('src/a.ts', 'export const a = 1\n')
  const script = join(at.dir, '..', 'replies.jsonl')
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const env = {
    ...{ HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data, ANODE_SCREEN: 'plain' },
    XDG_CONFIG_HOME: join(at.dir, '..', 'config'),
  }
  // Ctrl-C goes to the shell around it as well
  const start = (...words: string[]) =>
    openTerminal(`trap : INT; ${anodeLine('--model', `script:${script}`, ...words)}`, {
      cwd: at.dir,
      env,
      rows: 50,
    })
  return { ...at, start, env }
}

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })

describe('anode on a terminal', () => {
  it('answers, asks before it acts, and leads back to the thread', async () => {
    const { start, dir } = place([bash('touch made.txt'), { text: 'It is made.' }, { text: 'Once more.' }])
    const screen = start('--approval', 'ask', 'Make a file')
    await screen.until(/answer with a number: 1 allow once/)
    await untilAnswerable('line')
    screen.press('1', 'Enter')
    const rows = await screen.until(/done .* \$0\.00/)
    expect(rows.join('\n')).toMatch(
      /bash started {2}touch made\.txt\nbash ended, exit 0, .*\nanode: It is made\./,
    )
    expect(existsSync(join(dir, 'made.txt'))).toBe(true)
    screen.press('C-d')
    expect(await screen.exit()).toBe(0)
    const [, id = ''] = /anode --resume (\S+) {2}1 run {2}\$0\.00/.exec(screen.screen().join('\n')) ?? []
    expect(id).not.toBe('')
    const again = start('--approval', 'ask', '--resume', id)
    await again.until(/you: Make a file[\s\S]*anode: It is made\./)
    again.paste('and now?')
    again.press('Enter')
    // a script begins anew with every process
    await again.until(/answer with a number/)
    again.press('C-c')
    await again.until(/cancelled: interrupted/)
    again.paste('/quit')
    again.press('Enter')
    expect(await again.exit()).toBe(0)
  })

  it('is resumed after kill -9 with its messages, and the open call was interrupted', async () => {
    const { start, data } = place([bash('echo $$ > pid; sleep 60'), { text: 'after' }])
    const screen = start('--approval', 'unrestricted', 'Take long')
    await screen.until(/bash started/)
    const pid = programOf(data)
    process.kill(pid, 'SIGKILL')
    expect(await screen.exit()).toBe(137)
    const again = start('--continue')
    await again.until(/you: Take long[\s\S]*bash did not end/)
    again.press('C-d')
    expect(await again.exit()).toBe(0)
  })

  it('stops with Ctrl-C, leaves with two, and says what is wrong before anything is drawn', async () => {
    const { start } = place([bash('sleep 60')])
    const screen = start('--approval', 'unrestricted', 'Take long')
    await screen.until(/bash started/)
    screen.press('C-c')
    await screen.until(/cancelled: interrupted/)
    screen.press('C-c')
    await screen.until(/Ctrl-C again leaves/)
    screen.press('C-c')
    expect(await screen.exit()).toBe(0)
    const wrong = start('--profile', 'no-such')
    const rows = await wrong.until(/unknown profile no-such/)
    // the key that starts the program may leave an empty row
    expect(rows.find((row) => row.trim() !== '')).toMatch(/unknown profile no-such/)
    expect(await wrong.exit()).toBe(2)
    const missing = start('--resume', 'zzz')
    expect(await missing.exit()).toBe(2)
  })
})

describe('anode on a pipe', () => {
  it('is execute with a task, and the help without', async () => {
    const { anode, dir, env } = place([{ text: 'piped' }])
    const model = `script:${join(dir, '..', 'replies.jsonl')}`
    expect(await anode(['--model', model, 'what is here'], { env })).toMatchObject({
      code: 0,
      out: 'piped\n',
    })
    const empty = await anode([], { input: '' })
    expect(empty).toMatchObject({ code: 0, out: expect.stringMatching(/^anode COMMAND/) })
    const asked = await anode([], { input: 'Where is the constant a exported?', env })
    expect(asked.out).toContain('src/a.ts')
  })
})

/** Returns the process that has the store open. */
function programOf(data: string): number {
  const lines = spawnSync(
    'sh',
    ['-c', `for p in /proc/[0-9]*; do ls -l $p/fd 2>/dev/null | grep -q "${data}/anode.db" && echo $p; done`],
    { encoding: 'utf8' },
  ).stdout
  const [first = ''] = lines.trim().split('\n')
  return Number(first.replace('/proc/', ''))
}
