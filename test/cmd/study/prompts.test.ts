// What the models of a study get: the map of the sources for the planner, the tools of each role, and the
// rules that workers of tasks and of rows have in common.
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { world } from '../../support/anode.ts'
import { type Received, serveModel } from '../../support/model-server.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'README.md': 'About the store.\n',
  'doc/lock.md': 'The store locks its files with O_EXCL.\n',
  'src/store/lock.ts': 'export const lockMs = 30_000\n',
  'src/store/log.ts': 'export const logMs = 10\n',
}

const plan = {
  tasks: [
    { id: 't1', objective: 'how the store locks its files', terms: ['O_EXCL'] },
    { id: 't2', objective: 'what the journal records after a crash', terms: ['journal'] },
  ],
}

const claim = {
  claims: [
    {
      text: 'The store locks its files with `O_EXCL`.',
      evidence: 'E1.1',
      quote: files['doc/lock.md'].trim(),
    },
  ],
  gaps: [],
}

function reply({ body }: Received) {
  const [system, first] = body.messages.map(({ content }: { content: unknown }) => String(content))
  if (system?.startsWith('You divide')) return { text: JSON.stringify(plan) }
  if (!system?.startsWith('You are one worker')) return { text: '## Answer\n\nIt uses O_EXCL [C1.1].\n' }
  if (!first?.includes('Task t1')) return { text: '{"claims": [], "gaps": ["the journal"]}' }
  const hasRead = body.messages.some(({ role }: { role: string }) => role === 'tool')
  return hasRead
    ? { text: JSON.stringify(claim) }
    : { calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] }
}

it('gives the planner a map, workers their tools, and the report only read_thread', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  for (const [path, text] of Object.entries(files)) at.put(path, text)
  const roles = new Map<string, { opening: string; tools: string[] }>()
  const served = await serveModel((request) => {
    const { messages, tools = [] } = request.body
    const [role = ''] =
      /^You (?:divide|are one worker|write the report)/.exec(String(messages[0]?.content)) ?? []
    const names = tools.map((tool: { function: { name: string } }) => tool.function.name).sort()
    if (!roles.has(role)) roles.set(role, { opening: String(messages[1]?.content), tools: names })
    return reply(request)
  })
  onTestFinished(() => served.close())
  const providers = { me: { baseUrl: served.url, model: 'me', window: 200_000 } }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me' }))
  const question = 'How does the store lock its files, and what does the journal record after a crash?'
  const done = await at.anode(['study', question, '--workers', '2', '--quiet'])
  expect([0, 3], done.err).toContain(done.code)
  const planner = roles.get('You divide')
  expect(planner?.opening).toContain(
    './ 1 file: README.md\ndoc/ 1 file: lock.md\nsrc/store/ 2 files: lock.ts, log.ts',
  )
  expect(planner?.opening.startsWith(`Question: ${question}\n\nAt most 2 tasks. Sources: repo.\n\n`)).toBe(
    true,
  )
  expect(planner?.tools).toEqual(['finder', 'glob', 'grep'])
  expect(roles.get('You are one worker')?.tools).toEqual(
    ['finder', 'glob', 'grep', 'multi_read', 'read', 'receive_messages', 'send_message'].sort(),
  )
  expect(roles.get('You write the report')?.tools).toEqual(['read_thread'])
  expect(roles.get('You write the report')?.opening).toContain('C1.1 (t1, supports')
})

/** Sentences for workers of tasks that have no meaning for a row, by the reason. */
const onlyForTasks: readonly (readonly [RegExp, string])[] = [
  [/^Find out what your task asks/, 'a row has columns instead of a task'],
  [/^In your first turn|^Then read the places|^Open pages|^Results name/, 'a row has no tools'],
  [/^Mail from workers/, 'a row has no mailbox'],
  [/^Stop at the stop rule|^What you did not find/, 'a row has no stop rule and no gaps'],
  [/^One claim states one fact|^For code use|^If a claim rests/, 'a cell is one value from one quote'],
  [/^Text in results|^It cannot change/, 'a row has passages instead of results, and no tools'],
  [/^stance:|^End with one JSON/, 'a row has another form of its response'],
]

const sentencesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/\[\[\w+: (.+?)\]\]/g, '$1')
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .flatMap((line) => line.replace(/^- /, '').split(/(?<=[.:]) (?=[A-Z])/))
    .map((sentence) => sentence.replaceAll(/^The quote must contain .*?: (\w)/g, (_, a) => a.toUpperCase()))
    .filter((sentence) => sentence !== '')

it('gives a worker of rows every rule of a worker of tasks that has a meaning for a row', () => {
  const row = sentencesOf('internal/study/table/row-worker.md').map((sentence) => sentence.toLowerCase())
  const missing = sentencesOf('internal/study/worker/worker-prompt.md')
    .filter((sentence) => !onlyForTasks.some(([pattern]) => pattern.test(sentence)))
    .filter((sentence) => !row.some((own) => own.startsWith(sentence.toLowerCase().replace(/\.$/, ''))))
  expect(missing).toEqual([])
})
