// The full screen over the real local session: pane, window, mouse, the other screens, and leftovers.
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInlineScreen } from '../../../../internal/tui/inline/inline-screen.ts'
import { emulateTerminal, forbiddenBytes } from '../../../support/emulator.ts'
import { sessionWorld } from '../../../support/session.ts'

async function openFull(replies: readonly object[], { columns = 120, rows = 30, mouse = true } = {}) {
  const world = await sessionWorld(replies)
  const watched = await world.open(undefined, { mode: 'unrestricted' })
  const again = world.service.attach(watched.client.thread) as typeof watched.client
  const terminal = emulateTerminal(columns, rows)
  const { input, output } = terminal
  const stop = new AbortController()
  const env = { HOME: world.cwd, ANODE_DATA_DIR: world.cwd, TERM: 'xterm-256color' }
  const screen = openInlineScreen(
    again,
    world.service,
    { input, output, env, cwd: world.cwd, signal: stop.signal },
    { form: 'full', mouse, notes: ['a note of the start'] },
  )
  const ended = screen.run()
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  await terminal.until(/ctx \d+%/)
  const say = (text: string) => {
    terminal.type(text)
    terminal.type('\r')
  }
  return { terminal, watched, ended, say }
}

const todos = [
  { content: 'find it', status: 'completed' },
  { content: 'fix it', status: 'in_progress' },
]
const work = {
  text: 'I do it.',
  calls: [
    { name: 'todo_write', args: { todos } },
    { name: 'create_file', args: { path: 'made.txt', content: 'one\ntwo\n' } },
    { name: 'bash', args: { command: 'sleep 60', background: true } },
  ],
}
const long = { text: Array.from({ length: 60 }, (_, i) => `- item ${i}`).join('\n') }

describe('the full screen', () => {
  it('shows running work in a pane, which closes and opens, and asks before it leaves running work', async () => {
    const { terminal, say, ended } = await openFull([work, { text: 'There it is.' }])
    await terminal.until(/a note of the start/)
    say('make it')
    const text = await terminal.until(/There it is\.[\s\S]*done/, 40_000)
    expect(text).toMatch(/│ TODO 1 of 2 +\/todo/)
    expect(text).toMatch(/│ ● fix it/)
    expect(text).toMatch(/│ A made\.txt +\+2 -0/)
    expect(text).toMatch(/│ JOBS 1/)
    terminal.type('\x14')
    expect(await terminal.until(/^(?!.*TODO 1 of 2)[\s\S]*1 job/)).not.toMatch(/FILES/)
    terminal.type('\x14')
    await terminal.until(/TODO 1 of 2/)
    terminal.type('\x04')
    await terminal.until(/in the background: sleep 60/)
    terminal.type('\x1b')
    await terminal.until(/^(?![\s\S]*Leave while)/)
    terminal.type('\x04')
    await terminal.until(/Leave while this runs/)
    terminal.type('s')
    expect(await ended).toBe(0)
    // the last exchange stays on the normal screen of the terminal
    expect((await terminal.lines()).join('\n')).toMatch(/^ > make it[\s\S]*There it is\.[\s\S]*done/)
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
    expect(terminal.bytes()).toMatch(/\x1b\[\?1006l[\s\S]*\x1b\[\?1049l/)
  })

  it('shows the work of a subagent, and its transcript when it is selected', async () => {
    const title = 'Reproduce the loss'
    const { terminal, say } = await openFull([
      { calls: [{ name: 'task', args: { title, goal: 'find it' } }] },
      { task: title, text: 'I look.', calls: [{ name: 'bash', args: { command: 'sleep 3' } }] },
      { task: title, text: 'It is lost in flush.' },
      { text: 'The child found it.' },
    ])
    say('find it')
    await terminal.until(/│ AGENTS 1 +\/agents[\s\S]*Reproduce the loss[\s\S]*call 1 +bash sleep 3/, 40_000)
    await terminal.until(/The child found it\.[\s\S]*done/)
    say('/agents')
    await terminal.until(/Agents[\s\S]*> Reproduce the loss +has ended/)
    terminal.type('\r')
    await terminal.until(/the agent: Reproduce the loss[\s\S]*It is lost in flush[\s\S]*Esc back/)
    terminal.type('q')
    await terminal.until(/Agents +none running/)
    terminal.type('q')
    await terminal.until(/The child found it/)
  })

  it('scrolls by keys and the wheel, follows again at the end, and copies the selection', async () => {
    const { terminal, say, watched } = await openFull([long, { text: 'Second.' }])
    await terminal.until(/tip: /)
    say('list')
    await watched.idle()
    await terminal.until(/• item 59[\s\S]*done/)
    terminal.type('\x1b[5~')
    await terminal.until(/End goes to the end/)
    terminal.type('\x1b[H')
    expect(await terminal.until(/> list/)).not.toMatch(/item 59/)
    for (let i = 0; i < 3; i++) terminal.type('\x1b[<65;5;5M')
    await terminal.until(/^(?![\s\S]*> list)[\s\S]*item 8/)
    say('more')
    await terminal.until(/new lines, End/)
    terminal.type('\x1b[F')
    await terminal.until(/Second\./)
    terminal.type('\x1b[1;5A')
    terminal.type('\x1b[1;5A')
    expect(await terminal.until(/> list/)).toMatch(/^ - a note of the start.*\n *\n tip: .*\n *\n > list/)
    terminal.type('\x1b[<0;4;5M')
    terminal.type('\x1b[<32;7;5M')
    terminal.type('\x1b[<0;7;5m')
    await terminal.until(/4 characters were copied/)
    expect(terminal.bytes()).toContain(`\x1b]52;c;${Buffer.from('list').toString('base64')}\x07`)
  })

  it('changes to the scrollback and back, and ignores the mouse if it is switched off', async () => {
    const { terminal, say, watched } = await openFull([{ text: 'First.' }], {
      columns: 80,
      rows: 20,
      mouse: false,
    })
    say('go')
    await watched.idle()
    await terminal.until(/First\./)
    say('/screen inline')
    const text = await terminal.until(/> go[\s\S]*First\.[\s\S]*done[\s\S]*───/)
    expect(text.match(/First\./g)).toHaveLength(1)
    say('/screen')
    await terminal.until(/First\./)
    expect(terminal.bytes()).not.toContain('\x1b[?1000h')
    terminal.resize(18, 5)
    await terminal.until(/needs 20x6/)
    terminal.resize(60, 20)
    await terminal.until(/First\./)
  })
})
