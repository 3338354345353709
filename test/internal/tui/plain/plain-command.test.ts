// Every command of a session on the plain screen: its effect, or its error.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type SlashCommand, slashCommands } from '../../../../internal/tui/input/slash-command.ts'
import { openPlain } from '../../../support/plain.ts'

const create = (path: string) => ({ calls: [{ name: 'create_file', args: { path, content: 'made\n' } }] })

/** A command line for each, and its output. None of them starts a run or opens another thread. */
const table: Readonly<Record<SlashCommand | 'init', readonly [string, RegExp]>> = {
  help: ['/help', /\/rewind {2}rewind to before[\s\S]*\/unqueue/],
  new: ['/new now', /\/new takes no argument/],
  resume: ['/resume NOWHERE', /not done: no thread named NOWHERE/],
  search: ['/search zebra', /no thread contains this text/],
  fork: ['/fork 9999', /unknown event "9999"/],
  goal: ['/goal', /no goal is set; \/goal npm test sets one/],
  rename: ['/rename', /\/rename needs TITLE/],
  export: ['/export out.md', /\/export is done/],
  undo: ['/undo', /nothing to undo/],
  redo: ['/redo', /nothing to redo/],
  rewind: ['/rewind', /Back to before\n1 begin\n2 now, now: stay here\nanswer with a number/],
  diff: ['/diff', /No tool has reported a changed file/],
  model: ['/model', /^Model\n1 [\s\S]*answer with a number/m],
  effort: ['/effort', /Effort\n1 none: no reasoning[\s\S]*answer with a number/],
  profile: ['/profile', /Profile\n[\s\S]*craft, now/],
  mode: ['/mode', /Mode\n1 plan[\s\S]*unrestricted, now/],
  plan: ['/plan x', /\/plan takes no argument/],
  'add-dir': ['/add-dir nowhere', /not done: /],
  permissions: ['/permissions', /\/permissions is done/],
  trust: ['/trust', /Trust this workspace\n[\s\S]*answer with a letter: t trust it {2}n not now/],
  answer: ['/answer', /nothing waits for an answer/],
  queue: ['/queue', /nothing is queued/],
  compact: ['/compact', /nothing could be shortened/],
  context: ['/context', /\/context is done/],
  usage: ['/usage', /tokens in/],
  todo: ['/todo', /the todo list is empty/],
  agents: ['/agents', /no subagent has run/],
  jobs: ['/jobs', /no background command and no call is running/],
  study: ['/study', /no study in this workspace yet/],
  build: ['/build --workers', /--workers needs a value/],
  research: ['/research', /no experiments in this workspace yet/],
  review: ['/review', /\/review (?:is done|ended with exit code \d)/],
  copy: ['/copy 7', /the last answer has no code block 7/],
  editor: ['/editor', /the editor works only where the session runs/],
  image: ['/image a.png', /images can be attached only where the session runs/],
  tools: ['/tools', /\/tools is done/],
  skills: ['/skills', /\/skills is done/],
  mcp: ['/mcp', /\/mcp is done/],
  lsp: ['/lsp', /\/lsp (?:is done|ended)/],
  config: ['/config', /\/config is done/],
  doctor: ['/doctor', /\/doctor (?:is done|ended)/],
  screen: ['/screen', /anode --resume \w+ --screen inline/],
  theme: ['/theme', /no colors/],
  keys: ['/keys', /Ctrl-C {2}ends the run/],
  init: ['/init now', /\/init takes no argument/],
  quit: ['/quit now', /\/quit takes no argument/],
}

it('knows every command, and sends none of them to the model', async () => {
  const at = await openPlain([{ text: 'here' }])
  await at.say('begin', /anode: here[\s\S]*done/)
  for (const { name } of slashCommands) {
    const [line, seen] = table[name]
    await at.say(line, seen)
    // leaves an open choice, and does nothing otherwise
    await at.say('', /^(?:nothing was chosen\n)?/)
  }
  await at.say('/reserch', /unknown command \/reserch; did you mean \/research/)
  await at.say('/cancel', /did you mean \/stop\?/)
  await at.say('/unque', /did you mean \/unqueue/)
  const said = at.session.view().blocks.filter(({ kind }) => kind === 'user')
  expect(said).toHaveLength(1)
  expect(at.printed().split('\u0007').join('')).not.toMatch(/[\x00-\x09\x0b-\x1f]/)
  await at.close()
}, 120_000)

it('says where commands of the program work, in a session that cannot run them', async () => {
  const at = await openPlain([{ text: 'here' }], { isRemote: true })
  await at.say('begin', /anode: here[\s\S]*done/)
  for (const name of ['doctor', 'tools', 'context', 'review'])
    await at.say(`/${name}`, new RegExp(`/${name} works only where the session runs`))
  await at.close()
})

it('restores files only at y, goes back to a message and returns its text', async () => {
  const at = await openPlain([create('made.txt'), { text: 'made it' }])
  const made = join(at.cwd, 'made.txt')
  await at.say('make it', /made it[\s\S]*done/)
  await at.say('/diff', /made\.txt[\s\S]*\+.*made/)
  await at.say(
    '/undo',
    /Undo changes of 1 file by "make it"\n[\s\S]*made\.txt[\s\S]*answer with a letter: y restore/,
  )
  // an answer that was typed too early, and an invalid answer, do nothing and reach no model
  await at.say('y', /came before the choice could be read/)
  for (const line of ['1', 'yes', 'Y', 'n']) await at.answer(line, /not an answer/)
  await at.say('', /nothing was chosen/)
  expect(existsSync(made)).toBe(true)
  await at.say('/undo', /y restore/)
  await at.say('/todo', /nothing was chosen\nthe todo list is empty/)
  expect(existsSync(made)).toBe(true)
  await at.say('/undo', /y restore/)
  await at.answer('y', /1 file restored\. \/undo goes further back/)
  expect(existsSync(made)).toBe(false)
  const before = at.screen.thread?.()
  await at.say('/rewind', /1 make it: 1 file changed: made\.txt\n2 now/)
  await at.answer('9', /not an answer/)
  await at.say('1', /Rewind\n[\s\S]*1 conversation {2}2 files {2}3 both/)
  await at.answer('1', /craft with[\s\S]*\| make it\n[\s\S]*1 send it {2}2 change it/)
  expect(at.screen.thread?.()).not.toBe(before)
  await at.say('', /nothing was chosen/)
  // the previous thread is still available, by number and by its text
  await at.say(
    '/search make',
    /Which thread do you want to resume\?\n1 make it: just now, craft, \d+ events: /,
  )
  await at.answer('1', /craft with[\s\S]*you: make it/)
  expect(at.screen.thread?.()).toBe(before)
  expect(at.session.view().blocks.filter(({ kind }) => kind === 'user')).toHaveLength(1)
  await at.say('/fork', /craft with[\s\S]*you: make it/)
  await at.say('/new', /craft with/)
  await at.say('/fork', /this thread has no messages yet/)
  await at.close()
}, 120_000)

it('requires a typed yes for the mode without approvals, and opens no thread during a run', async () => {
  const at = await openPlain([{ text: 'slow', delay_ms: 60_000 }], { mode: 'ask' })
  await at.say('/mode', /\d unrestricted: never asks/)
  await at.answer('5', /Type yes to confirm/)
  await at.answer('y', /the mode is unchanged/)
  await at.say('/mode unrestricted', /Type yes to confirm/)
  await at.say('yes', /came before/)
  await at.say('', /nothing was chosen/)
  expect(at.session.view().mode).toBe('ask')
  await at.say('/plan', /^/)
  await at.session.until(({ mode }) => mode === 'plan')
  await at.say('/plan', /^/)
  await at.session.until(({ mode }) => mode === 'ask')
  await at.say('begin', /^/)
  await at.session.until(({ run }) => run !== undefined)
  await at.say('/new', /a run is active; end it with \/stop/)
  await at.say('/rewind', /a run is active/)
  await at.say('/queue later', /^/)
  await at.say('/queue', /queue: later/)
  await at.say('/stop', /cancelled/)
  await at.say('/new', /approval ask/)
  await at.close()
}, 120_000)

it('lists the rules that end with the session, and revokes one', async () => {
  const at = await openPlain([create('made.txt'), { text: 'made it' }], { mode: 'ask' })
  await at.say('begin', /answer with a number: 1 allow once/)
  await at.answer('2', /made it[\s\S]*done/)
  await at.say(
    '/permissions',
    /1 rule until this session ends[\s\S]*s1 {2}allow {2}create_file[\s\S]*is done/,
  )
  await at.say('/permissions forget s1', /rule s1 is removed/)
  const from = at.printed().length
  await at.say('/permissions', /is done/)
  expect(at.printed().slice(from)).not.toMatch(/s1|session ends/)
  await at.close()
}, 120_000)

it('shows a waiting call after a choice, in full and with time to read it', async () => {
  const bash = { calls: [{ name: 'bash', args: { command: 'sleep 1; touch made.txt' } }], delay_ms: 1_500 }
  const at = await openPlain([bash, { text: 'over' }], { mode: 'ask' })
  await at.say('begin', /^/)
  await at.say('/model', /answer with a number/)
  await at.session.until(({ waits }) => waits.length === 1)
  await at.say('x', /bash waits for an answer; it is shown after this choice|not an answer/)
  // a number for the list does not answer the call
  await at.answer('', /nothing was chosen\n[\s\S]*answer with a number: 1 allow once/)
  await at.say('1', /a question came while you typed/)
  expect(at.session.view().waits).toHaveLength(1)
  await at.say('/answer', /answer with a number: 1 allow once/)
  await at.answer('4', /bash ended, /)
  expect(existsSync(join(at.cwd, 'made.txt'))).toBe(false)
  await at.close()
}, 120_000)

it('sends an image, the text of an editor, and a skill, and copies as the terminal allows', async () => {
  const files = {
    '.anode/skills/count/SKILL.md': '---\nname: count\ndescription: counts things\n---\nCount them.\n',
  }
  const outside = {
    editText: async (text: string) => `${text}EDITED\nlines`,
    readPicture: async () => ({ mime: 'image/png', base64: 'AAAA', size: '12x8' }),
  }
  const at = await openPlain([{ text: 'seen\n\n```\ncode\n```' }, { text: 'two' }, { text: 'three' }], {
    ...outside,
    files,
    term: 'dumb',
  })
  await at.say('/image a/cart.png', /\[picture 1 cart\.png 12x8\] goes with your next message/)
  await at.say('look', /anode: seen[\s\S]*done/)
  expect(at.session.view().blocks[0]).toMatchObject({
    ...{ kind: 'user', images: 1, text: '[picture 1 cart.png 12x8] look' },
  })
  await at.say('/copy 1', /no clipboard for programs[\s\S]*\ncode\nthe text ends here/)
  await at.say('/editor', /\| EDITED\n\| lines\n[\s\S]*1 send it/)
  await at.answer('1', /anode: two[\s\S]*done/)
  expect(JSON.stringify(at.session.view().blocks)).toContain('EDITED\\nlines')
  await at.close()
}, 120_000)

it('sends documents with the next message', async () => {
  const names = ['ship.pdf', 'a report.docx', 'book.epub', 'sheet.xlsx', 'talk.pptx', 'text.odt']
  const at = await openPlain([{ text: 'seen' }, { text: 'two' }])
  for (const name of names) await at.say(`/image ${name}`, /@.* goes with your next message/)
  await at.say('look', /anode: seen[\s\S]*done/)
  const mentions = names.map((name) => (name.includes(' ') ? `@"${name}"` : `@${name}`))
  expect(at.session.view().blocks).toContainEqual(
    expect.objectContaining({ kind: 'user', text: `${mentions.join(' ')} look` }),
  )
  const calls = at.session.view().blocks.flatMap((block) => (block.kind === 'call' ? [block.tool] : []))
  expect(calls).toEqual(names.map(() => 'look_at'))
  await at.say('more', /anode: two[\s\S]*done/)
  expect(at.session.view().blocks).toContainEqual(expect.objectContaining({ kind: 'user', text: 'more' }))
  await at.close()
}, 60_000)

it('copies the source of the answer to the clipboard of a capable terminal', async () => {
  const at = await openPlain([{ text: 'a *b*' }], { term: 'xterm-256color' })
  await at.say('begin', /done/)
  await at.say('/copy', /5 characters were copied/)
  expect(at.printed()).toContain(`\x1b]52;c;${Buffer.from('a *b*').toString('base64')}\x07`)
  await at.close()
}, 60_000)

it('reports the program that has accepted the answer, also if the terminal cannot copy', async () => {
  const taken: string[] = []
  const writeClipboard = async (text: string) => ({ took: `xclip ${taken.push(text)}`, failed: ['wl-copy'] })
  const listed = `- one\n\n  \`\`\`\n  in a list\n  \`\`\`\n\n> \`\`\`\n> quoted\n> \`\`\`\n${'long line\n'.repeat(10_000)}`
  const at = await openPlain([{ text: listed }], { writeClipboard })
  await at.say('begin', /done/)
  await at.say('/copy', /\d+ characters were copied to xclip 1; wl-copy failed/)
  await at.say('/copy 1', /9 characters were copied to xclip 2;/)
  await at.say('/copy 2', /6 characters were copied to xclip 3;/)
  expect(taken).toEqual([listed, 'in a list', 'quoted'])
  expect(at.printed()).not.toContain('\x1b]52')
  await at.say('/export out.md', /\/export is done/)
  expect(readFileSync(join(at.cwd, 'out.md'), 'utf8')).toContain('long line')
  await at.close()
}, 60_000)

it('shows changed settings, and messages of other clients, but does not repeat the typed text', async () => {
  const at = await openPlain([{ text: 'First.' }, { text: 'Second.' }])
  await at.say('/mode edits', /^now craft with \S.*, approval edits$/m)
  await at.say('/effort high', /^now craft with \S.*, effort high, approval edits$/m)
  await at.say('What is here?', /anode: First\.\ndone /)
  await at.session.send({ type: 'say', content: 'And from elsewhere?' })
  await expect
    .poll(at.printed, { timeout: 30_000 })
    .toMatch(/\nyou: And from elsewhere\?\nanode: Second\.\ndone /)
  expect(at.printed()).not.toContain('you: What is here?')
  expect(at.printed().match(/^now /gm)).toHaveLength(2)
  await at.close()
})
