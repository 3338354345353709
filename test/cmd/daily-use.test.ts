// Small frictions of daily use, on the built program in a pseudo terminal: forms of the screen, dead ends of
// the model list, values that cannot be right, and files that were there before an experiment.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../support/repo.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld, typeLine } from '../support/screen-program.ts'
import { untilAnswerable } from '../support/waiting.ts'

const isFull = ({ terminal }: ScreenProgram) => terminal.buffer.active.type === 'alternate'

describe('the form of the screen', () => {
  it('stays full at /new, and the pane opens with the first work', async () => {
    const make = { name: 'create_file', args: { path: 'made.txt', content: 'one\n' } }
    const { model, start } = openScreenWorld([{ text: 'There it is.', calls: [make] }, { text: 'Made.' }])
    const screen = start([...model, '--approval', 'edits', '--screen', 'inline'], { columns: 120, rows: 30 })
    await screen.until(/\? help/)
    expect(isFull(screen)).toBe(false)
    await typeLine(screen, '/screen full')
    await screen.until(() => isFull(screen) && /\? help/.test(screen.rows()))
    expect(screen.rows()).not.toContain('│')
    await typeLine(screen, 'make a file')
    await screen.until(() => /Made\.[\s\S]*done/.test(screen.rows()))
    expect(screen.rows()).toMatch(/│ FILES 1 changed/)
    await typeLine(screen, '/new')
    await screen.until(() => !/Made\./.test(screen.rows()) && /Ask, or say what to do/.test(screen.rows()))
    expect(isFull(screen)).toBe(true)
    expect(screen.rows()).not.toContain('│')
  }, 120_000)
})

it('the model list shows only what was typed after /model, and names the command that opens a dead end', async () => {
  const { model, start } = openScreenWorld([])
  const screen = start([...model], { columns: 80, rows: 24 })
  await screen.until(/\? help/)
  await typeLine(screen, '/model anth')
  await screen.until(() => /> anth_[\s\S]*Esc closes/.test(screen.rows()))
  const listed = screen.rows().match(/^│[ >]+\S+\/\S+ .*$/gm) ?? []
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.filter((row) => !row.includes('anthropic/'))).toEqual([])
  screen.type('\x1b')
  await screen.until(() => !/> anth_/.test(screen.rows()))
  await typeLine(screen, '/model compat')
  await screen.until(() => /> compat_/.test(screen.rows()))
  screen.type('\r')
  await screen.until(() =>
    /^│ anode config set providers\.openai-compatible\.baseUrl https:\S+ /m.test(screen.rows()),
  )
}, 120_000)

it('a question takes letters that arrive in one chunk, a denial says who denied, and no cost is unknown', async () => {
  const replies = [
    { calls: [{ name: 'ask_user', args: { question: 'Which color?', options: ['red', 'xylophone'] } }] },
    { calls: [{ name: 'bash', args: { command: 'git push' } }] },
    { text: 'So be it.' },
  ]
  const { model, start } = openScreenWorld(replies)
  const screen = start([...model, '--approval', 'ask', 'begin'], { columns: 80, rows: 24 })
  await screen.until(() => /1-2 choose/.test(screen.rows()))
  await untilAnswerable('key')
  screen.type('xy')
  await screen.until(() => /✔ 2 xylophone/.test(screen.rows()))
  screen.type('\r')
  await screen.until(() => /y once/.test(screen.rows()))
  await untilAnswerable('key')
  screen.type('d')
  await screen.until(() => /Deny with a message/.test(screen.rows()))
  screen.type('not today')
  await screen.until(() => /> not today/.test(screen.rows()))
  screen.type('\r')
  await screen.until(() => /you denied it: not today[\s\S]*So be it\.[\s\S]*done/.test(screen.rows()))
  screen.type('\x04')
  expect(await screen.exit).toBe(0)
  expect(screen.screen()).toMatch(/anode --resume \w{10} {2}1 run/)
  expect(screen.screen()).not.toContain('$?')
}, 120_000)

describe('commands on a terminal', () => {
  const print = async (here: ScreenWorld, ...words: string[]) => {
    const screen = here.start(words, { columns: 80, rows: 24 })
    return { code: await screen.exit, text: screen.lines() }
  }

  it('store no invalid URL, and delete no thread without yes', async () => {
    const here = openScreenWorld([{ text: 'Kept.' }])
    const wrong = await print(here, 'config', 'set', 'providers.demo.baseUrl', 'notaurl')
    expect(wrong).toEqual({
      code: 2,
      text: expect.stringMatching(/not a valid URL: notaurl\nwrite it like https:/),
    })
    expect(existsSync(join(dirname(here.dir), '.config/anode/config.json'))).toBe(false)
    await print(here, 'execute', ...here.model, 'keep this')
    const asked = here.start(['threads', 'delete', 'last'])
    await asked.until(/keep this\s+Delete it\? Type yes:/)
    asked.type('n\r')
    expect(await asked.exit).toBe(4)
    expect((await print(here, 'threads', 'list')).text).toContain('keep this')
  }, 120_000)

  it('say nothing about a program of an MCP server that is missing', async () => {
    const here = openScreenWorld([{ text: 'Answered.' }])
    expect((await print(here, 'mcp', 'add', 'x', '--', 'wrong')).text).toMatch(/no program wrong/)
    for (const words of [
      ['threads', 'list'],
      ['permissions', 'list'],
      ['config', 'list'],
    ]) {
      const { text } = await print(here, ...words)
      expect(text, words.join(' ')).not.toMatch(/wrong|npm|MCP/)
    }
  }, 120_000)

  it('count no file that was there before the experiment as its change, and say what to do about a new one', async () => {
    const here = openScreenWorld([])
    here.put('size.txt', '60\n')
    here.put('.auto/measure.sh', 'echo "METRIC ms=$(cat size.txt)"\n')
    git(here.dir, 'init', '-q', '-b', 'main')
    appendFileSync(join(here.dir, '.git/config'), '[user]\n\tname = A\n\temail = a@example.org\n')
    git(here.dir, 'add', '-A')
    git(here.dir, 'commit', '-q', '-m', 'first')
    here.put('notes.txt', 'mine\n')
    const research = (...words: string[]) => print(here, 'research', ...words)
    const named = ['--name', 't', '--metric', 'ms', '--direction', 'lower', '--cmd', 'sh .auto/measure.sh']
    expect((await research('init', ...named, '--scope', 'size.txt')).text).toContain('notes.txt')
    await research('run')
    expect((await research('log', '--status', 'baseline', '--description', 'base')).code).toBe(0)
    here.put('size.txt', '50\n')
    const better = await research('run')
    expect(better.text).not.toMatch(/scope|notes/)
    expect(better.text).toMatch(/run 2 keep/)
    await research('log', '--status', 'keep', '--description', 'less')
    here.put('size.txt', '40\n')
    here.put('stray.txt', 'new\n')
    const { text } = await research('run')
    expect(text).toMatch(/outside of the scope: stray\.txt/)
    expect(text.replace(/\s+/g, ' ')).toMatch(/\.gitignore.*anode research init --reset --scope PATH/)
    expect(readFileSync(join(here.dir, 'notes.txt'), 'utf8')).toBe('mine\n')
  }, 240_000)
})
