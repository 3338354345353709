// Long conversations of the built program with a small window: the user's messages and the todo list reach
// every request word for word.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { live } from '../support/live.ts'
import { type ModelServer, type Received, type ServedReply, serveModel } from '../support/model-server.ts'
import { sampleRows } from '../support/sample.ts'

let at: World
let server: ModelServer | undefined
beforeEach(() => {
  at = world()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  at.remove()
})

interface Order {
  text: string
  todos: string[]
}

const orders: Order[] = [
  {
    text: 'What is the version of this package? RULE 1: answer in one word.',
    todos: ['find the version "in" package.json', 'say it — once'],
  },
  {
    text: 'Now the real task: rename `send` to `deliver`.\n\nRULE A: keep the old name as an alias.\n  RULE B: "no" new files.\nRULE C: tabs\tstay tabs.',
    todos: ['read every file\\path', 'rename send → deliver', 'keep the alias'],
  },
  {
    text: `Stop renaming. Write the report instead.${' RULE Z: mention each file.'.repeat(40)}`,
    todos: ['write the report', 'name src/part7.ts'],
  },
]

const headed = (n: number) =>
  ['Task', 'Decisions', 'Files read', 'Files changed', 'Commands', 'Open points']
    .map((heading) => `## ${heading}\nsummary ${n}`)
    .join('\n')

/** Whether it is a request for a summary, in the conversation or as a separate request. */
const isSummaryRequest = ({ body }: Received) =>
  [body.messages[0], body.messages.at(-1)].some(({ content }) => String(content).includes('## Open points'))

const isConclusion = ({ body }: Received) => body.tool_choice === 'none'

/** Returns twenty turns for each task: its todo list first, then reads that fill the window. */
function scriptOf(summaries: number[]) {
  let turn = 0
  return (request: Received): ServedReply => {
    if (isSummaryRequest(request)) {
      summaries.push(request.raw.length)
      return { text: headed(summaries.length), piece: 4_000 }
    }
    const step = turn++ % 20
    const order = orders[Math.floor((turn - 1) / 20)] as Order
    if (step === 19 || isConclusion(request)) return { text: 'So far.', piece: 4_000 }
    if (step === 0) {
      const todos = order.todos.map((content) => ({ content, status: 'pending' }))
      return { calls: [{ name: 'todo_write', args: { todos } }], piece: 4_000 }
    }
    if (step === 1) return { calls: [{ name: 'bash', args: { command: `echo out${turn}; exit 7` } }] }
    return { text: `step ${step}`, calls: [{ name: 'read', args: { path: `src/part${turn % 9}.ts` } }] }
  }
}

/** Creates a workspace in which a result of `read` takes about a fifteenth of the window. */
function prepare(window: number, script: (request: Received) => ServedReply) {
  const lines = Math.floor(window / 175)
  for (let i = 0; i < 9; i++)
    at.put(
      `src/part${i}.ts`,
      `// part ${i}\n${`export const value${i} = '${'x'.repeat(20)}'\n`.repeat(lines)}`,
    )
  return serveModel(script).then((one) => {
    server = one
    const config = JSON.stringify({ providers: { lab: { baseUrl: one.url, window } } })
    for (const path of ['../.config/anode/config.json', '.config/anode/config.json']) at.put(path, config)
    return one
  })
}

interface SentMessage {
  content: unknown
  tool_calls?: { function: { arguments: string } }[]
}

/** Returns all texts of a request: contents, and strings in the arguments of calls. */
function textsOf({ body }: Received): string[] {
  const strings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(strings)
  return body.messages.flatMap(({ content, tool_calls: calls = [] }: SentMessage) => [
    ...strings(content),
    ...calls.flatMap((call) => strings(JSON.parse(call.function.arguments))),
  ])
}

function checkRequests(requests: readonly Received[]) {
  const isIn = (request: Received, text: string) => textsOf(request).some((one) => one.includes(text))
  let newest = -1
  const written = new Set<string>()
  for (const [n, request] of requests.entries()) {
    while (orders[newest + 1] && isIn(request, (orders[newest + 1] as Order).text)) newest++
    const { text, todos } = orders[newest] as Order
    expect(isIn(request, text), `request ${n} has order ${newest}`).toBe(true)
    for (const todo of todos) if (isIn(request, todo)) written.add(todo)
    for (const todo of todos.filter((one) => written.has(one)))
      expect(isIn(request, todo), `request ${n} has the todo ${todo}`).toBe(true)
  }
  expect(newest).toBe(2)
  expect(orders.flatMap(({ todos }) => todos).every((todo) => written.has(todo))).toBe(true)
}

const cases: [window: number, profile: string, compactions: number][] = [
  [22_000, 'craft', 2],
  [128_000, 'craft', 2],
  [8_000, 'quick', 3],
]

describe.each(sampleRows(cases, 2))(
  '60 turns at a window of %d, profile %s',
  (window, profile, compactions) => {
    const flags = [
      '--model',
      'lab/m',
      '--profile',
      profile,
      '--max-turns',
      '25',
      '--approval',
      'unrestricted',
    ]

    it('keeps the latest task and the todo list over resumed runs', async () => {
      const summaries: number[] = []
      const { requests } = await prepare(window, scriptOf(summaries))
      for (const [i, { text }] of orders.entries()) {
        const resume = i === 0 ? [] : ['--resume', 'last']
        const before = summaries.length
        const { err } = await at.anode(['execute', ...resume, ...flags, text])
        expect(err.match(/^~ compacted .* tokens, \d+ messages$/gm) ?? []).toHaveLength(
          summaries.length - before,
        )
      }
      expect(summaries.length).toBeGreaterThanOrEqual(compactions)
      checkRequests(requests)
      // The summary keeps a failed command, and the program adds the file list.
      expect(requests.at(-1)?.raw).toMatch(/exit 7/)
    })

    it('keeps both in one run whose task changes', async () => {
      const summaries: number[] = []
      const { requests } = await prepare(window, scriptOf(summaries))
      const run = live(at, ['execute', '--stream-json', '--stream-json-input', ...flags])
      for (const [i, { text }] of orders.entries()) {
        run.send({ type: 'user', text })
        await run.until(new RegExp(`(?:"role":"assistant","text":"So far\\."[^]*){${i + 1}}`))
      }
      run.end()
      await run.done
      expect(summaries.length).toBeGreaterThanOrEqual(compactions)
      checkRequests(requests)
    })
  },
)

it('makes the summary from the conversation itself, with the prefix of the previous request', async () => {
  const summaries: number[] = []
  const { requests } = await prepare(22_000, scriptOf(summaries))
  await at.anode(['execute', '--model', 'lab/m', '--approval', 'unrestricted', (orders[0] as Order).text])
  const first = requests.findIndex(isSummaryRequest)
  expect(first).toBeGreaterThan(0)
  const [before, summary, after] = requests.slice(first - 1, first + 2) as [Received, Received, Received]
  expect(summary.body.tools).toEqual(before.body.tools)
  expect(summary.body.messages.slice(0, before.body.messages.length)).toEqual(before.body.messages)
  expect(textsOf(after).some((text) => text.includes('summary 1') && text.includes('exit 7'))).toBe(true)
})
