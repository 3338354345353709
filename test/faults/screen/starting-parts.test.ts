// External parts that hang, flood or end while they start or run a call: the screen stays usable and keeps
// typed text. The user sees the name of the part, and no process is left.
import { chmodSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { processesWith } from '../../internal/process/scratch.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld } from '../../support/screen-program.ts'
import { root } from '../../support/sources.ts'

const isLong = process.env.ANODE_FAULTS !== undefined
const told: string[] = []
afterAll(() => {
  for (const line of told) console.log(line)
})

type Setup = (world: ScreenWorld) => void | Promise<void>
type Rows = Readonly<Record<string, Setup>>

const config = (world: ScreenWorld, value: object) =>
  world.put('../.config/anode/config.json', JSON.stringify(value))
const configure = (world: ScreenWorld, odd: object) =>
  world.put('../.config/anode/mcp.json', JSON.stringify({ mcpServers: { odd: { ...odd, startTimeout: 2 } } }))
const stdio =
  (script: string): Setup =>
  (world) =>
    configure(world, { command: '/bin/sh', args: ['-c', `: ${world.data}; ${script}`] })

/** Adds the plugin `odd`, which runs `script`. */
const program =
  (script: string): Setup =>
  (world) => {
    const path = join(world.dir, '..', 'odd')
    world.put('../odd', `#!/bin/sh\n: ${world.data}\n${script}\n`)
    chmodSync(path, 0o755)
    config(world, { plugins: { paths: [path], startTimeout: 2 } })
  }
const faulty =
  (fault: string): Setup =>
  (world) => {
    symlinkSync(join(root, 'test/support/plugins/fake.mjs'), join(world.dir, '..', fault))
    config(world, { plugins: { paths: [join(world.dir, '..', fault)], startTimeout: 2, callTimeout: 600 } })
  }

const listening: Setup = async (world) => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  configure(world, { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp` })
}

const hook =
  (event: string): Setup =>
  (world) =>
    world.put('../.config/anode/hooks.json', JSON.stringify({ [event]: [{ command: 'sleep 7777' }] }))

/** Checks that the screen survives the fault, and prints all rows on failure. */
async function survive(
  what: string,
  rows: Rows,
  attempt: (world: ScreenWorld) => Promise<void>,
  repliesOf: (name: string) => readonly object[] = () => replies,
) {
  const faults = await Promise.all(
    Object.entries(rows).map(async ([name, setup]) => {
      const world = openScreenWorld(repliesOf(name))
      await setup(world)
      return attempt(world).then(
        () => [],
        (error: unknown) => [`${name}: ${error instanceof Error ? error.message : String(error)}`],
      )
    }),
  )
  const tried = faults.length
  told.push(`${what}: survived ${tried - faults.flat().length}/${tried}`)
  expect(faults.flat()).toEqual([])
}

const replies = [
  { text: 'I look.', calls: [{ name: 'bash', args: { command: 'echo looked' } }] },
  { text: 'The answer.' },
  { text: 'One more.' },
]
const isIdle = ({ screen }: ScreenProgram) => /(?:\? help|Enter sends)/.test(screen().trimEnd().slice(-300))

/** Ends the screen, and checks that it leaves nothing behind. */
async function endCleanly(world: ScreenWorld, screen: ScreenProgram, how: 'SIGTERM' | 'SIGKILL') {
  screen.program.kill(how)
  const code = await Promise.race([screen.exit, sleep(4_000, 'still there')])
  expect(code).toBe(how === 'SIGTERM' ? 143 : 137)
  for (const end = Date.now() + 5_000; processesWith(world.data).length > 0 && Date.now() < end; )
    await sleep(50)
  expect(processesWith(world.data)).toEqual([])
}

const hanging: Rows = {
  'a server that never answers': stdio('sleep 7777'),
  'a plugin that never answers': program('sleep 7777'),
}
const starting: Rows = {
  ...hanging,
  'a server that ends at once': stdio('echo broken >&2; exit 3'),
  'a server that takes connections alone': listening,
  ...(isLong && {
    'a server that prints without an end': stdio('yes garbage'),
    'a server that complains without an end': stdio('yes flood >&2'),
    'a plugin that prints without an end': program('yes garbage'),
    'a plugin that ends at once': faulty('crash'),
  }),
}

it('messages wait for starting parts, Esc returns them, and they are sent when a part has failed', async () => {
  await survive('started, stopped and sent', starting, async (world) => {
    const screen = world.start([...world.model, '--approval', 'unrestricted'])
    await screen.until(/\? help/)
    screen.type('go on\r')
    await screen.until(/waiting for (odd|the model)|The answer/)
    screen.type('\x1b')
    await screen.until(/stopped before|cancelled: interrupted|The answer/)
    await screen.until(/(?:MCP server odd|plugin .*\/(?:odd|crash)).*/)
    if (screen.screen().includes('stopped before')) screen.type('\r')
    else if (!screen.screen().includes('The answer')) screen.type('once more\r')
    await screen.until(/The answer/)
    expect(screen.screen().match(/^ > go on/gm)).toHaveLength(1)
    await endCleanly(world, screen, 'SIGTERM')
  })
}, 60_000)

it('leaving while parts start leaves no process and stores no thread', async () => {
  for (const how of ['SIGTERM', 'SIGKILL'] as const)
    await survive(`left by ${how} while they start`, hanging, async (world) => {
      const screen = world.start([...world.model])
      await screen.until(/1 server starting/)
      await endCleanly(world, screen, how)
      expect((await world.anode(['threads', 'list', '--json'])).out.trim()).toMatch(/^(\[\])?$/)
    })
}, 60_000)

it('a hook that never ends is stopped by Esc and reported by name', async () => {
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse']
  const rows = Object.fromEntries(events.map((event) => [event, hook(event)]))
  await survive('hooks without an end', rows, async (world) => {
    const screen = world.start([...world.model, '--approval', 'unrestricted', 'go on'])
    await screen.until(/works {2}[2-9]\.\d s/)
    screen.type('\x1b')
    await screen.until(/cancelled: interrupted/)
    await screen.until(() => isIdle(screen))
    expect(screen.lines()).toMatch(/the hook `sleep 7777` for \w+ was ended after/)
    expect(screen.lines()).toMatch(/go on/)
    await endCleanly(world, screen, 'SIGTERM')
  })
}, 60_000)

/** Returns responses in which the model calls a tool of the part, and then answers. */
const calling = (name: string, args: object) => [
  { text: 'I ask.', calls: [{ name, args }] },
  { text: 'The answer.' },
]
const languageServer =
  (mode: string): Setup =>
  (world) => {
    world.put('a.odd', 'bad\n')
    const args = [join(root, 'test/support/fake-server.mjs'), mode, join(world.data, 'told')]
    const odd = { command: process.execPath, args, extensions: { '.odd': 'odd' } }
    world.put('../.config/anode/lsp.json', JSON.stringify({ odd }))
  }

it('a part that hangs or ends during a call leaves the session usable', async () => {
  const faults = isLong ? ['stall', 'die', 'flood', 'junk'] : ['stall']
  const modes = isLong ? ['mute', 'deaf', 'crash-at-start', 'crash'] : ['mute']
  const plugins = faults.map((fault) => [fault, faulty(fault)] as const)
  const servers = modes.map((mode) => [mode, languageServer(mode)] as const)
  const rows = Object.fromEntries([...plugins, ...servers])
  const repliesOf = (name: string) =>
    faults.includes(name)
      ? calling(`plugin__${name}__echo`, { message: 'hey' })
      : calling('lsp', { operation: 'documentSymbol', path: 'a.odd' })
  const attempt = async (world: ScreenWorld) => {
    const screen = world.start([...world.model, '--approval', 'unrestricted', 'go on'])
    // the duration of the call, not of a part that still starts
    await screen.until(/(?:__echo|lsp ).* [1-9]\.\d s$|The answer/m)
    screen.type('\x1b')
    await screen.until(/cancelled: interrupted|The answer/)
    await screen.until(() => isIdle(screen))
    if (!screen.screen().includes('The answer')) screen.type('more\r')
    await screen.until(/The answer/)
    await endCleanly(world, screen, 'SIGTERM')
  }
  await survive('in mid-call', rows, attempt, repliesOf)
}, 60_000)
