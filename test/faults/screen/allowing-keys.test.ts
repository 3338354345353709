// Keys that allow calls, among other keys, on several questions, parts and subagents at once. A call
// is allowed only if its question was on the screen with the pressed key, and a rule is stored only if
// it was shown.
import { expect, it } from 'vitest'
import type { EventPayload } from '../../../internal/event/event.ts'
import { openInlineScreen } from '../../../internal/tui/inline/inline-screen.ts'
import { emulateTerminal } from '../../support/emulator.ts'
import { choice, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { sessionWorld } from '../../support/session.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const bash = (n: number) => ({
  name: 'bash',
  args: { command: `echo m${n}m >> out.txt && sleep 0.0${n} ; node -e ${n}` },
})
const task = (n: number) => ({ name: 'task', args: { title: `child ${n}`, goal: 'do it' } })
/** Subagents take their responses from this list too. */
const replies = Array.from({ length: 300 }, (_, i) =>
  i % 4 === 3
    ? { text: `answer ${i}` }
    : { calls: [bash(3 * i), bash(3 * i + 1), i % 3 === 0 ? task(i) : bash(3 * i + 2)] },
)

const allowing = ['y', 's', 'a']
const keys = [
  ...[...allowing, ...allowing, '\t', '\t', '\t', '\t', 'o', 'o', '1', '2', '3', 'n', 'd', 'v', 'x'],
  ...[' ', '\x1b[B', '\x1b[A', '\x1b[6~', '\r', '\x1b', '\x15', '\x15', '\x0f', 'q', '?', '/help', '\x10'],
  ...['yes', '\x1b[200~y\x1b[201~', '\x7f'],
]

/** Returns the rows of the latest open box; '' below a page or a text field. */
function boxOf(rows: readonly string[]): string {
  const start = rows.findLastIndex((row) => row.startsWith('┌'))
  const box = start < 0 ? '' : rows.slice(start).join('\n')
  return /Esc back/.test(box) ? '' : box
}

async function runSeed(seed: number): Promise<void> {
  const random = rng(seed)
  const form = seed % 2 === 0 ? 'full' : 'inline'
  const world = await sessionWorld(replies)
  const watched = await world.open(undefined, { mode: 'ask' })
  const { client, events } = watched
  const terminal = emulateTerminal(100, 60)
  const { input, output } = terminal
  const stop = new AbortController()
  const env = { HOME: world.cwd, ANODE_DATA_DIR: world.cwd, TERM: 'xterm-256color' }
  const ended = openInlineScreen(
    world.service.attach(client.thread) as typeof client,
    world.service,
    { input, output, env, cwd: world.cwd, signal: stop.signal },
    { form, notes: [], firstMessage: 'go' },
  ).run()
  await watched.until(({ waits }) => waits.length > 0, `a question of seed ${seed}`)
  const pressed: { key: string; box: string }[] = []
  for (let i = 0; i < rounds(18, 250); i++) {
    await sleepMs(random() < 0.5 ? 320 + random() * 80 : random() * 60)
    const key = choice(random, keys)
    if (allowing.includes(key)) pressed.push({ key, box: boxOf(await terminal.lines()) })
    terminal.type(key)
    if (watched.view().run === undefined && i % 5 === 0) await watched.say('more')
  }
  await sleepMs(200)
  stop.abort()
  await ended
  await world.service.close()
  const asked = new Map(
    events.flatMap((event) =>
      event.type === 'permission.asked' ? [[event.payload.call, event.payload]] : [],
    ),
  )
  const allowed = events.flatMap((event) =>
    event.type === 'permission.decided' &&
    event.payload.action === 'allow' &&
    /the user/.test(event.payload.why)
      ? [event.payload]
      : [],
  )
  for (const decided of allowed) {
    const question = asked.get(decided.call) as EventPayload<'permission.asked'>
    const at = pressed.findIndex(({ key, box }) => isAnswer(key, box, question, decided))
    expect(at, `seed ${seed}: ${JSON.stringify(decided)} ${JSON.stringify(pressed)}`).toBeGreaterThanOrEqual(
      0,
    )
    // one key answers one question
    pressed.splice(at, 1)
  }
  total += allowed.length
}

let total = 0

/** Whether the box with this question was on the screen with this key and with each stored rule. */
function isAnswer(
  key: string,
  box: string,
  { args, always }: EventPayload<'permission.asked'>,
  { why }: EventPayload<'permission.decided'>,
): boolean {
  const wanted = /for this session/.test(why) ? 's' : /always here/.test(why) ? 'a' : 'y'
  const labels: Readonly<Record<string, string>> = { y: 'y once', s: 's this session', a: 'a this workspace' }
  const mark = /m\d+m/.exec(String(args?.command))?.[0] ?? 'no mark'
  if (key !== wanted || !box.includes(labels[wanted] as string) || !box.includes(mark)) return false
  if (wanted === 'y') return true
  const offers = [always ?? []].flat()
  const kept = /: rule ([\d, ]+) of/.exec(why)?.[1]?.split(', ').map(Number)
  if (kept && kept.length < offers.length && !box.includes(`now rule ${kept.join(', ')} only`)) return false
  return offers.length === 1 ? box.includes('keep') : box.includes('rule 1')
}

const seeds = Array.from({ length: rounds(1, 6) }, (_, i) => i + 1)

it(`random keys with seeds 1 to ${seeds.length}, some of which answer a question`, async () => {
  for (const seed of seeds) await runSeed(seed)
  expect(total).toBeGreaterThan(0)
}, 1_800_000)
