// The inline screen over the real local session, a scripted model and an emulated terminal.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { Event, EventDraft } from '../../../../internal/event/event.ts'
import type { SessionService } from '../../../../internal/session/client.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { openInlineScreen } from '../../../../internal/tui/inline/inline-screen.ts'
import { emulateTerminal, forbiddenBytes } from '../../../support/emulator.ts'
import { makePdf } from '../../../support/pdf.ts'
import { type SessionWorld, sessionWorld } from '../../../support/session.ts'
import { untilAnswerable } from '../../../support/waiting.ts'

type Mode = 'ask' | 'edits' | 'auto' | 'unrestricted'

async function storeThread({ data, cwd }: SessionWorld, drafts: readonly EventDraft[]) {
  const store = await openStore(data)
  const { id: thread } = store.threads.create({
    ...{ workspace: cwd, title: 'long', profile: 'craft', model: 'builtin/extract' },
  })
  const frame = (seq: number) => ({ id: createUlid(), run_id: 'run_1', seq, ts: Date.now() })
  store.threads.append(
    thread,
    'run_1',
    drafts.map((draft, i) => ({ ...draft, ...frame(i + 1) }) as Event),
  )
  store.close()
  return { kind: 'resume', thread } as const
}

interface ScreenWishes {
  mode?: Mode
  firstMessage?: string
  files?: Readonly<Record<string, string>>
  /** Events of the stored thread. */
  events?: readonly EventDraft[]
  /** True if the screen cannot read files, because the session runs in another process. */
  isRemote?: boolean
}

async function openScreen(
  replies: readonly object[],
  { mode = 'ask', firstMessage, files = {}, events, isRemote = false }: ScreenWishes = {},
) {
  const world = await sessionWorld(replies, files)
  const watched = await world.open(events && (await storeThread(world, events)), { mode })
  const again = world.service.attach(watched.client.thread) as typeof watched.client
  const terminal = emulateTerminal()
  const { input, output } = terminal
  const home = world.cwd
  const stop = new AbortController()
  const io = { input, output, env: { HOME: home, ANODE_DATA_DIR: home, TERM: 'xterm-256color' } }
  const edited: string[] = []
  const ran: (readonly string[])[] = []
  const service: SessionService = {
    ...world.service,
    async runVerb(words, { output, signal }) {
      ran.push(words)
      if (words[0] === 'study') await new Promise((resolve) => signal.addEventListener('abort', resolve))
      output('all is \x1b[2Jwell\n\x1b]0;owned\x07', 'stdout')
      return { exit: 3 }
    },
  }
  const outside = {
    editText: async (text: string) => `${text}${edited.push(text) && 'EDITED'}`,
    readPicture: async () => ({ mime: 'image/png', base64: 'AAAA' }),
    readClipboardPicture: async () => ({ mime: 'image/png', base64: 'BBBB', size: '12x8' }),
  }
  const screen = openInlineScreen(
    again,
    service,
    { ...io, ...(isRemote ? {} : outside), cwd: world.cwd, signal: stop.signal },
    { form: 'inline', notes: [], ...(firstMessage !== undefined && { firstMessage }) },
  )
  const ended = screen.run()
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  await terminal.until(/\? help|Esc stops|works/)
  return { ...world, terminal, watched, ended, edited, ran }
}

const commit = { calls: [{ name: 'bash', args: { command: 'echo a && echo b > out.txt' } }] }

describe('the inline screen', () => {
  it('shows the typed message and prints the answer once', async () => {
    const { terminal, ended } = await openScreen([{ text: '# Title\n\nOne *two*.\n\n- three' }])
    terminal.type('hi there')
    terminal.type('\r')
    await terminal.until(/done {2}.*\n─+\n\n─/)
    const text = (await terminal.lines()).join('\n')
    expect(text.match(/> hi there/g)).toHaveLength(1)
    expect(text.match(/three/g)).toHaveLength(1)
    expect(text).toMatch(/ Title\n\n One two\.\n\n • three\n/)
    terminal.type('\x04')
    expect(await ended).toBe(0)
    expect(terminal.isRaw()).toBe(false)
    expect((await terminal.lines()).join('\n')).not.toMatch(/help|───/)
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
  })

  it.each(['/tmp/shot.png', "'/tmp/my shot.jpeg'"])(
    'leaves the dropped path %s in the editor if it cannot read images',
    async (path) => {
      const { terminal } = await openScreen([], { isRemote: true })
      terminal.type(`\x1b[200~${path}\x1b[201~`)
      await terminal.until(/images can be attached only where the session runs/)
      expect((await terminal.lines()).join('\n')).toContain(`─\n ${path}`)
    },
  )

  it('denies with a reason, which the model gets', async () => {
    const { terminal, watched } = await openScreen([commit, { text: 'As you say.' }])
    terminal.type('go')
    terminal.type('\r')
    await terminal.until(/waits for an answer/)
    terminal.type('y')
    await terminal.until(/─\n y\n─[\s\S]*Enter steers {2}Tab answers/)
    // the user could not see the question yet, so the key went to the editor
    expect(watched.view().waits).toHaveLength(1)
    terminal.type('\x15')
    await terminal.until(/Tab to answer/)
    terminal.type('\t')
    await terminal.until(/d deny with message/)
    await untilAnswerable('key')
    terminal.type('\r')
    await terminal.until(/│ D deny.*Esc: decide later[\s\S]*\n y allows, n denies\n craft[\s\S]*Esc later/)
    terminal.type('d')
    await terminal.until(/Enter sends {3}Esc back[\s\S]*─\n craft[\s\S]*Esc back/)
    await terminal.until(/Deny with a message to the model/)
    terminal.type('use a branch')
    terminal.type('\r')
    const view = await watched.idle()
    const [call] = view.blocks.flatMap((block) => (block.kind === 'call' ? [block] : []))
    expect(call?.result?.ok).toBe(false)
    expect(JSON.stringify(call?.result)).toContain('use a branch')
    await terminal.until(/As you say/)
  })

  it('allows only by its key, after the end was shown', async () => {
    const { terminal, watched } = await openScreen([commit, { text: 'ok' }])
    terminal.type('go')
    terminal.type('\r')
    await terminal.until(/Tab answers|┌ bash/)
    terminal.type('\t')
    await terminal.until(/┌ bash/)
    await untilAnswerable('key')
    for (const key of ['\r', '\r', ' ', ' ', '\x1b[6~']) terminal.type(key)
    expect(watched.view().waits).toHaveLength(1)
    await terminal.until(/y once/)
    terminal.type('y')
    const view = await watched.idle()
    expect(view.blocks.find((block) => block.kind === 'call')?.result?.ok).toBe(true)
  })

  it('lists rules of the session before stored rules, and revokes one', async () => {
    const { terminal, watched, ran } = await openScreen([commit, { text: 'ok' }, commit, { text: 'ok' }])
    const say = (line: string) => {
      terminal.type(line)
      terminal.type('\r')
    }
    say('go')
    await terminal.until(/s this session/)
    await untilAnswerable('key')
    terminal.type('s')
    await watched.idle()
    say('/permissions')
    await terminal.until(
      /until this session ends; \/permissions forget s1[\s\S]*s1 +allow +bash[\s\S]*all is well/,
    )
    say('/permissions forget s1')
    await terminal.until(/rule s1 is removed/)
    say('/permissions forget s1')
    await terminal.until(/this session has no rule s1/)
    expect(ran).toEqual([['permissions', 'list']])
    say('again')
    await watched.until(({ waits }) => waits.length === 1)
  })

  it('is answered in the box once the full call was read on its page', async () => {
    const command = Array.from({ length: 40 }, (_, i) => `echo line ${i}`).join('\n')
    const calls = [{ name: 'bash', args: { command } }]
    const { terminal, watched } = await openScreen([{ calls }, { text: 'ok' }])
    terminal.type('go')
    terminal.type('\r')
    await terminal.until(/read all to allow/)
    await untilAnswerable('key')
    terminal.type('v')
    await terminal.until(/bash in .*\n+ runs +│ echo line 0/)
    for (let i = 0; i < 4; i++) terminal.type(' ')
    await terminal.until(/only this exact command[\s\S]*Esc back/)
    terminal.type('y')
    expect(watched.view().waits).toHaveLength(1)
    terminal.type('q')
    await terminal.until(/y once/)
    terminal.type('y')
    const view = await watched.idle()
    expect(view.blocks.find((block) => block.kind === 'call')).toMatchObject({ result: { ok: true } })
  })

  it('queues during a run, edits the queue, steers, and stops at Escape', async () => {
    const { terminal, watched } = await openScreen([{ text: 'slow', delay_ms: 60_000 }, { text: 'next' }])
    terminal.type('begin')
    terminal.type('\r')
    await terminal.until(/Esc stops/)
    terminal.type('later')
    terminal.type('\t')
    await terminal.until(/queue {2}later/)
    terminal.type('\x1b[A')
    await watched.until(({ queue }) => queue.length === 0)
    await terminal.until(/─\n later\n─/)
    // a run that is stopped before it is recorded has no end
    await watched.until(({ run }) => run !== undefined)
    terminal.type('\x1b')
    const view = await watched.idle()
    expect(view.blocks.at(-1)).toMatchObject({ kind: 'end' })
    // a stopped run is no longer shown as stopping
    await terminal.until(/─\n later\n─+\n craft/)
  })

  it('shows for a study that Escape stops it', async () => {
    const { terminal } = await openScreen([])
    terminal.type('/study what is here')
    terminal.type('\r')
    await terminal.until(/\n craft[^\n]*Esc stops/)
    terminal.type('\x1b')
    await terminal.until(/stopped[\s\S]*\n craft[^\n]*\? help/)
  })

  it('shows for a shell command of the user that Escape stops it', async () => {
    const { terminal } = await openScreen([])
    terminal.type('!sleep 60')
    terminal.type('\r')
    await terminal.until(/! bash +sleep 60[\s\S]*Esc stops/)
    terminal.type('\x1b')
    await terminal.until(/✖ ! bash +sleep 60[\s\S]*\? help/)
  })

  it('prints no control sequence of a model or a tool', async () => {
    const hostile = '\x1b[2J\x1b]0;owned\x07\x9b3J\x1b]52;c;AAAA\x07 \u202eevil\u2066 \x1bc\x07'
    const { terminal } = await openScreen(
      [
        { text: `text ${hostile}`, calls: [{ name: 'bash', args: { command: `printf '${hostile}'` } }] },
        { text: 'end' },
      ],
      { mode: 'auto', firstMessage: `look ${hostile}` },
    )
    await terminal.until(/done|Tab answers|waits/)
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
    expect(terminal.bytes()).not.toMatch(/\x1b\[[23]J|owned\x07|\x1b\]52/)
  })

  it('allows all edits of a session with e, and still asks for a sensitive file', async () => {
    const write = (path: string) => ({ calls: [{ name: 'create_file', args: { path, content: 'made\n' } }] })
    const replies = [write('one.txt'), write('two.txt'), write('.env'), { text: 'written' }]
    const { terminal, cwd, watched } = await openScreen(replies, { mode: 'ask' })
    terminal.type('write them')
    terminal.type('\r')
    const box = await terminal.until(/one\.txt[\s\S]*y once[\s\S]*e all edits in this session/)
    expect(box).not.toMatch(/overwrite: false/)
    await untilAnswerable('key')
    terminal.type('e')
    expect(await terminal.until(/\.env[\s\S]*y once/)).not.toMatch(/e all edits/)
    expect(watched.view().mode).toBe('edits')
    expect(existsSync(join(cwd, 'two.txt'))).toBe(true)
    expect(existsSync(join(cwd, '.env'))).toBe(false)
  })

  it('goes back run by run with /undo and forward with /redo', async () => {
    const write = (path: string) => ({ calls: [{ name: 'create_file', args: { path, content: 'made\n' } }] })
    const replies = [
      write('one.txt'),
      { text: 'first' },
      write('two.txt'),
      { text: 'second' },
      { text: 'third' },
    ]
    const { terminal, cwd, watched } = await openScreen(replies, { mode: 'edits' })
    const say = (line: string) => {
      terminal.type(line)
      terminal.type('\r')
    }
    for (const [order, answer] of [
      ['make one', 'first'],
      ['make two', 'second'],
      ['explain it', 'third'],
    ] as const) {
      say(order)
      await terminal.until(new RegExp(`${answer}[\\s\\S]*done`))
      await watched.idle()
    }
    const files = () => ['one.txt', 'two.txt'].filter((name) => existsSync(join(cwd, name)))
    const step = async (line: string, title: string | RegExp, left: string[]) => {
      say(line)
      await terminal.until(new RegExp(title))
      terminal.type('y')
      await expect.poll(files).toEqual(left)
      await terminal.until(/─\n\n─/)
    }
    await step('/undo', 'by "make two"[\\s\\S]*"explain it", changed no files', ['one.txt'])
    await step('/undo', 'Undo changes of 1 file by "make one"', [])
    say('/undo')
    await terminal.until(/nothing to undo: no changes by tools are left/)
    await step('/redo', 'Redo changes of 1 file by "make one"', ['one.txt'])
    await step('/redo', 'Redo changes of 1 file by "make two"', ['one.txt', 'two.txt'])
    say('/redo')
    await terminal.until(/nothing to redo/)
  })

  it('restores files only at y, goes back to a message, and requires a typed yes for the last mode', async () => {
    const create = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'made\n' } }] }
    const { terminal, cwd, watched } = await openScreen([create, { text: 'made it' }], {
      mode: 'edits',
      firstMessage: 'make it',
    })
    await watched.idle()
    await terminal.until(/made it[\s\S]*done/)
    const say = (line: string) => {
      terminal.type(line)
      terminal.type('\r')
    }
    say('/undo')
    await terminal.until(/Undo changes of 1 file by "make it"[\s\S]*y restore/)
    terminal.type('n')
    await terminal.until(/done.*\n+─+\n\n─/)
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true)
    say('/undo')
    await terminal.until(/y restore/)
    terminal.type('y')
    await terminal.until(/1 file restored/)
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
    terminal.type('\x1b\x1b')
    await terminal.until(/Back to before[\s\S]*make it +1 file changed[\s\S]*> now/)
    terminal.type('\x1b[A')
    terminal.type('\r')
    await terminal.until(/c conversation/)
    terminal.type('\x1b')
    await terminal.until(/reverts this\.\n+─+\n\n─/)
    say('/mode unrestricted')
    await terminal.until(/Type yes to confirm/)
    say('y')
    await terminal.until(/the mode is unchanged/)
    expect(watched.view().mode).toBe('edits')
    say('/mode unrestricted')
    await terminal.until(/Type yes to confirm/)
    say('yes')
    await watched.until(({ mode }) => mode === 'unrestricted')
  })

  it('sends a dropped image, and the text from an editor', async () => {
    const { terminal, watched, edited } = await openScreen([{ text: 'seen' }])
    terminal.type('look at \x1b[200~/tmp/a\\ cart.png\x1b[201~')
    await terminal.until(/\[picture 1 a cart\.png\]/)
    terminal.type('\x07')
    await terminal.until(/EDITED/)
    expect(edited).toEqual(['look at [picture 1 a cart.png] '])
    terminal.type('\r')
    const view = await watched.idle()
    expect(view.blocks[0]).toMatchObject({ kind: 'user', images: 1 })
    expect(terminal.bytes()).toMatch(/\x1b\[\?2004l[\s\S]*\x1b\[\?2004h/)
  })

  it.each([['docs/ship.pdf'], ['docs/a report.docx']])('mentions a dropped document: %s', async (path) => {
    const { terminal, watched, cwd } = await openScreen([{ text: 'seen' }])
    mkdirSync(join(cwd, 'docs'))
    writeFileSync(join(cwd, path), makePdf(['The keel was laid in 1871.']))
    const dropped = join(cwd, path)
    terminal.type(`look at \x1b[200~${dropped.replaceAll(' ', '\\ ')}\x1b[201~`)
    await terminal.until(/look at @/)
    terminal.type('\r')
    const { blocks } = await watched.idle()
    const said = blocks.flatMap((one) => (one.kind === 'user' && one.origin === undefined ? [one.text] : []))
    expect(said.join()).toContain(dropped.includes(' ') ? `@"${dropped}"` : `@${dropped}`)
    expect(blocks.find((one) => one.kind === 'call')).toMatchObject({ tool: 'look_at', byPerson: true })
  })

  it('accepts an image from the clipboard, and shows its size', async () => {
    const { terminal, watched } = await openScreen([{ text: 'seen' }])
    terminal.type('\x16')
    await terminal.until(/\[picture 1 clipboard 12x8\]/)
    terminal.type('\r')
    expect((await watched.idle()).blocks[0]).toMatchObject({ kind: 'user', images: 1 })
  })

  it('shows the output of a running command, and asks about it when the user leaves', async () => {
    const command = 'echo first; echo the second line; sleep 30'
    const { terminal, watched } = await openScreen([{ calls: [{ name: 'bash', args: { command } }] }], {
      mode: 'unrestricted',
      firstMessage: 'run it',
    })
    await terminal.until(/● bash[^\n]*\n +the second line/)
    terminal.type('\x04')
    await terminal.until(/Leave while this runs[\s\S]*a run, /)
    terminal.type('\r')
    terminal.type('w')
    await terminal.until(/leaves when it is done; Esc stays/)
    terminal.type('\x1b')
    await terminal.until(/\n stays\n/)
    terminal.type('\x1b')
    expect((await watched.idle()).blocks.at(-1)).toMatchObject({ kind: 'end', end: 'cancelled' })
  })

  it('accepts the first key after a question is on the screen, on any slow terminal', async () => {
    // The emulator ends its turn after each write, so others run between a frame and the next step.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
    onTestFinished(() => clock.mockRestore())
    const calls = [{ name: 'bash', args: { command: 'echo first; sleep 60' } }]
    const { terminal } = await openScreen([{ calls }], { mode: 'unrestricted', firstMessage: 'begin' })
    await terminal.until(/● bash[^\n]*\n +first/)
    for (let round = 0; round < 5; round++) {
      terminal.type('\x04')
      await terminal.until(/Leave while this runs[\s\S]*a run, /)
      terminal.type('w')
      await terminal.until(/leaves when it is done; Esc stays/)
      terminal.type('\x1b')
      await terminal.until(/\n stays\n/)
    }
  })

  it('sets the effort of the model, adds a directory, and shows both', async () => {
    const { terminal, watched } = await openScreen([{ text: 'yes' }])
    const say = (line: string) => {
      terminal.type(line)
      terminal.type('\r')
    }
    say('/effort hgh')
    await terminal.until(/unknown effort "hgh"/)
    say('/effort high')
    await watched.until(({ effort }) => effort === 'high')
    say('/add-dir /no/such/folder')
    await terminal.until(/\/no\/such\/folder does not exist/)
    say('/add-dir /tmp')
    await terminal.until(/\/tmp counts from the next run on/)
    say('/jobs')
    await terminal.until(/No background command and no call is running/)
  })

  it('asks once about an untrusted directory, and ignores keys that were typed before', async () => {
    const files = { '.anode/config.json': '{"shell": {"blocked": ["curl"]}}' }
    const { terminal, watched } = await openScreen([], { files })
    await terminal.until(/Trust this workspace[\s\S]*\.anode\/config\.json/)
    await untilAnswerable('key')
    terminal.type('\r')
    terminal.type('n')
    await terminal.until(/^(?![\s\S]*Trust this)/)
    expect(watched.view().run).toBeUndefined()
  })

  it("shows the effect of a directory's files, and asks again", async () => {
    const command = 'curl https://x.example/\u202eevil'
    const files = { '.anode/hooks.json': JSON.stringify({ PreToolUse: [{ command }] }) }
    const { terminal } = await openScreen([], { files })
    await terminal.until(/Trust this workspace[\s\S]*l read them/)
    await untilAnswerable('key')
    terminal.type('l')
    const page = await terminal.until(/hooks: commands[\s\S]*Esc back/)
    expect(page).toMatch(/PreToolUse\[0\] starts: curl https:\/\/x\.example\/(?!\u202e)\S*evil/)
    terminal.type('\x1b')
    await terminal.until(/t trust it {3}l read them {3}n not now/)
    terminal.type('n')
    await terminal.until(/^(?![\s\S]*Trust this)/)
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
  })

  it('leaves an empty line between the end of a run and the todo list', async () => {
    const todos = [
      { content: 'look', status: 'completed' },
      { content: 'fix', status: 'pending' },
    ]
    const { terminal } = await openScreen([
      { calls: [{ name: 'todo_write', args: { todos } }] },
      { text: 'Enough for now.' },
    ])
    terminal.type('go')
    terminal.type('\r')
    await terminal.until(/\n done {2}[^\n]*\n\n todo 1 of 2\n─/)
  })

  it('loads the earlier part of a long thread when the user scrolls up to it', async () => {
    const events = Array.from({ length: 700 }, (_, i): EventDraft => {
      const role = i % 2 === 0 ? 'user' : 'assistant'
      return { type: 'message', payload: { role, text: `message ${i}` } }
    })
    const { terminal } = await openScreen([], { events })
    expect(await terminal.until(/696 earlier events; Ctrl-O shows them/)).not.toMatch(/message 695/)
    terminal.type('\x0f')
    await terminal.until(/message 699[\s\S]*Esc back/)
    terminal.type('g')
    await terminal.until(/message 199[\s\S]*message 200/)
    terminal.type('g')
    await terminal.until(/> message 0\n/)
  })

  it('prints the output of another command of the program, without control sequences', async () => {
    const { terminal, ran } = await openScreen([])
    terminal.type('/doctor')
    terminal.type('\r')
    await terminal.until(/all is well[\s\S]*ended with exit code 3/)
    expect(ran).toEqual([['doctor']])
    expect(forbiddenBytes(terminal.bytes())).toEqual([])
  })

  it('steps back to messages of other threads, which Ctrl-R searches as well', async () => {
    const { terminal, open } = await openScreen([{ text: 'fine' }])
    const other = await open()
    await other.say('said elsewhere')
    await other.idle()
    terminal.type('\x1b[A')
    await terminal.until(/─\n said elsewhere\n─/)
    terminal.type('\x15')
    terminal.type('\x12')
    await terminal.until(/Earlier messages/)
    terminal.type('\r')
    await terminal.until(/─\n said elsewhere\n─/)
  })

  it('keeps the draft when the terminal closes', async () => {
    const { terminal, ended } = await openScreen([])
    terminal.type('half a thought')
    await terminal.until(/half a thought/)
    terminal.input.destroy()
    expect(await ended).toBe(129)
    expect(terminal.isRaw()).toBe(false)
  })

  it('calls a skill by its name, which appears in the menu, and sends nothing for an unknown name', async () => {
    const { terminal, watched } = await openScreen([{ text: 'Reviewed.' }])
    terminal.type('/simpl')
    await terminal.until(/> \/simplify/)
    terminal.type('\t')
    terminal.type('src/a.ts')
    terminal.type('\r')
    const view = await watched.idle()
    const call = view.blocks.find(({ kind }) => kind === 'call')
    expect(call).toMatchObject({
      tool: 'skill',
      byPerson: true,
      args: { name: 'simplify', input: 'src/a.ts' },
    })
    expect(view.blocks.filter(({ kind }) => kind === 'user')).toMatchObject([
      { origin: 'note', text: expect.stringContaining('asks for this skill') },
      { text: '/simplify src/a.ts' },
    ])
    terminal.type('/simplfy')
    terminal.type('\r')
    await terminal.until(/did you mean \/simplify/)
    terminal.type('\x15')
    terminal.type('/nosuch:thing now')
    terminal.type('\r')
    await terminal.until(/unknown command \/nosuch:thing/)
    await terminal.until(/─\n \/nosuch:thing now\n─/)
    expect(JSON.stringify(watched.view().blocks)).not.toContain('nosuch')
  })

  it('shows a truncated result in full from the transcript, and copies the selected block', async () => {
    const command = 'seq 1 20000'
    const { terminal } = await openScreen(
      [{ calls: [{ name: 'bash', args: { command } }] }, { text: 'Counted, *surely*.' }],
      { mode: 'unrestricted', firstMessage: 'count' },
    )
    await terminal.until(/Counted[\s\S]*done/)
    terminal.type('\x0f')
    await terminal.until(/>done[\s\S]*e all/)
    terminal.type('\x1b[Z')
    await terminal.until(/>Counted, surely\./)
    terminal.type('y')
    await terminal.until(/18 characters were copied/)
    expect(terminal.bytes()).toContain(
      `\x1b]52;c;${Buffer.from('Counted, *surely*.').toString('base64')}\x07`,
    )
    terminal.type('\x1b[Z')
    await terminal.until(/>✔ bash[\s\S]*more lines above\n/)
    terminal.type('\r')
    await terminal.until(/>✔ bash[^\n]*\n {3}\d+\n {3}\d+\n/)
    terminal.type('\r')
    await terminal.until(/>✔ bash[^\n]*\n[^\n]*more lines above\n/)
    terminal.type('e')
    await terminal.until(/>✔ bash[^\n]*\n {3}\d+\n {3}\d+\n/)
    terminal.type('x')
    await terminal.until(/this is not running/)
    terminal.type('v')
    await terminal.until(/\n 22\n 23\n/)
    terminal.type('G')
    await terminal.until(/ 20000\n/)
    terminal.type('q')
    await terminal.until(/>✔ bash/)
    terminal.type('q')
    await terminal.until(/^(?![\s\S]*e all)[\s\S]*Counted, surely/)
  })

  it('shows the output of a call and a job, and stops only the call', async () => {
    const job = { name: 'bash', args: { command: 'echo in the back; sleep 60', background: true } }
    const call = { name: 'bash', args: { command: 'echo in front; sleep 60' } }
    const { terminal, watched } = await openScreen(
      [{ calls: [job] }, { calls: [call] }, { text: 'Went on.' }],
      { mode: 'unrestricted', firstMessage: 'run both' },
    )
    await terminal.until(/in front\n/)
    terminal.type('/jobs')
    terminal.type('\r')
    await terminal.until(
      /1 in the background, 1 of this run[\s\S]*in the back\n[\s\S]*running[\s\S]*in front\n/,
    )
    terminal.type('\x1b[B')
    await terminal.until(/> ● bash echo in front/)
    terminal.type('k')
    await terminal.until(/1 in the background\n/)
    const view = await watched.idle()
    expect(view.jobs).toHaveLength(1)
    expect(view.blocks.findLast(({ kind }) => kind === 'answer')).toMatchObject({ text: 'Went on.' })
  })

  it('shows the usage by model and tool', async () => {
    const { terminal } = await openScreen([commit, { text: 'Done.' }], {
      ...{ mode: 'unrestricted', firstMessage: 'go' },
    })
    await terminal.until(/Done\.[\s\S]*done/)
    terminal.type('/usage')
    terminal.type('\r')
    await terminal.until(/By model\n script:\S+ [\s\S]*2 requests[\s\S]*By tool\n bash +1 call/)
  })
})
