// Enter in the command menu, on the built program in a pseudo terminal.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../../support/screen-program.ts'

const forms = ['inline', 'full', 'plain'] as const

async function open(form: (typeof forms)[number], size = { columns: 100, rows: 30 }) {
  const { model, start } = openScreenWorld([{ text: 'one answer' }, { text: 'wrote AGENTS.md' }])
  const screen = start([...model, '--screen', form, 'begin'], size)
  await screen.until(/one answer[\s\S]*done/)
  const enter = async (text: string) => {
    const count = () => screen.bytes().length
    const before = count()
    screen.type(text)
    if (form === 'plain') await screen.until(() => count() > before)
    else
      await screen.until(
        () =>
          screen
            .rows()
            .split('\n')
            .some((row) => row.trim() === text),
        30_000,
      )
    screen.type('\r')
  }
  const until = (seen: () => boolean) => screen.until(seen, 30_000)
  /** Closes a list or a page with Escape. Its last row names that key, and no other screen does. */
  const close = async () => {
    await until(() => /Esc (?:closes|back)/.test(screen.rows()))
    screen.type('\x1b')
    await until(() => /\? help/.test(screen.rows()) && !/Esc (?:closes|back)/.test(screen.rows()))
  }
  return { ...screen, until, enter, close }
}

/** Aliases of other programs and what the screens show for each. */
const aliases: readonly (readonly [alias: string, seen: RegExp])[] = [
  ['/cost', /tokens in/],
  ['/models', /Model\b[\s\S]*anthropic\/claude/],
  ['/sessions', /begin.*craft,? +\d+ events/],
  ['/init', /wrote AGENTS\.md/],
]

/** Aliases that open a page or a list. */
const closes = /^\/(?:models|sessions)$/

it.each(forms)(
  'runs the aliases of other programs on the %s screen',
  async (form) => {
    const at = await open(form)
    for (const [alias, seen] of aliases) {
      const before = at.bytes().length
      await at.enter(alias)
      await at.until(() => seen.test(form === 'plain' ? at.bytes().slice(before) : at.rows()))
      if (form === 'plain') at.type('\r')
      else if (closes.test(alias)) await at.close()
    }
    const before = at.bytes().length
    await at.enter('/clear')
    await at.until(() => /Ask, or say|lists the commands/.test(at.bytes().slice(before)))
    if (form !== 'plain') await at.until(() => /Ask, or say what to do/.test(at.rows()))
    await at.enter('/exit')
    expect(await at.exit).toBe(0)
    expect(at.bytes()).not.toContain('unknown command')
  },
  60_000,
)

it.each(['inline', 'full'] as const)(
  'runs the highlighted command at Enter on the %s screen',
  async (form) => {
    const at = await open(form)
    await at.enter('/usag')
    await at.until(() => /tokens in/.test(at.rows()))
    // the second entry of the menu
    at.type('/mo')
    await at.until(() => /> \/model\b[\s\S]*\/mode\b/.test(at.rows()))
    at.type('\x1b[B')
    await at.until(() => /> \/mode /.test(at.rows()))
    at.type('\r')
    await at.until(() => /asks before every change/.test(at.rows()))
    await at.close()
    // a complete name wins over a longer one that comes first
    await at.enter('/mode')
    await at.until(() => /asks before every change/.test(at.rows()))
    await at.close()
    // a command that needs an argument is completed
    await at.enter('/renam')
    await at.until(() => /\n \/rename *\n/.test(at.rows()))
    at.type('a title\r')
    await at.until(() => at.bytes().includes('anode a title'))
  },
)

it.each(['inline', 'full'] as const)('removes an error at the next key on the %s screen', async (form) => {
  const at = await open(form)
  await at.enter('/nonsense')
  await at.until(() => /unknown command \/nonsense/.test(at.rows()))
  at.type('x')
  await at.until(() => /\/nonsensex/.test(at.rows()))
  expect(at.rows()).not.toContain('unknown command')
})

it.each([
  ['inline', 24, 9],
  ['inline', 54, 30],
  ['full', 24, 9],
  ['full', 54, 30],
  ['inline', 12, 6],
] as const)('the menu uses the free rows of %s, %i rows', async (form, rows, least) => {
  const at = await open(form, { columns: 80, rows })
  at.type('/')
  const count = () => at.rows().match(/^ [> ] \/[a-z-]+ /gm)?.length ?? 0
  // a frame can arrive in two reads
  await at.until(() => count() >= least && /^ \/ *$/m.test(at.rows()))
  at.type('\x1b')
  await at.until(() => count() === 0)
})
