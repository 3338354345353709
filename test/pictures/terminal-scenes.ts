// The scenes of the terminal pictures: the built program, a scripted model, and the screen at one moment.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServedReply } from '../support/model-server.ts'
import type { ScreenMask } from '../support/pictures/screen-cells.ts'
import { openScreenWorld, typeLine } from '../support/screen-program.ts'
import { root } from '../support/sources.ts'
import { drawCompare, drawProof, drawReviewer } from './proof-scenes.ts'
import {
  brokenCart,
  cart,
  columns,
  commitCart,
  configureModel,
  draw,
  drawOutput,
  editCart,
  putRepository,
  readCart,
  summary,
} from './scene-parts.ts'

interface SessionScene {
  mode: string
  task: string
  replies: readonly ServedReply[]
  seen: RegExp
}

async function drawSession({ mode, task, replies, seen }: SessionScene): Promise<string> {
  const here = openScreenWorld([])
  putRepository(here, cart)
  await configureModel(here, replies)
  const words = ['--approval', mode, '--screen', 'inline']
  const screen = here.start(words, { columns, rows: 40 })
  await screen.until(/\? help/, 20_000)
  await typeLine(screen, task)
  await screen.until(seen, 20_000)
  return await draw(screen, 'anode')
}

const findings = [
  {
    ...{ file: 'cart.js', line: 2, severity: 'high', title: 'total subtracts prices' },
    detail: 'Each price is subtracted from 0, so the total is negative.',
  },
  {
    ...{ file: 'cart.js', line: 6, severity: 'low', title: 'count ignores quantities' },
    detail: 'An item with quantity 3 counts once.',
  },
]

async function drawReview(): Promise<string> {
  const here = openScreenWorld([])
  putRepository(here, { 'cart.js': 'export const tax = 0.2\n' })
  here.put('cart.js', `${brokenCart}\nexport function count(items) {\n  return items.length\n}\n`)
  await configureModel(here, [{ text: JSON.stringify({ findings }) }])
  return await drawOutput(here, ['review', '--fail-on', 'high', '--quiet'], 'anode review --fail-on high')
}

/** Candidates of the experiment: what changes, and the description. */
const candidates = [
  ['parse.txt', '44', 'parse each line once'],
  ['sort.txt', '52', 'sort before the merge'],
  ['write.txt', '11', 'write in blocks'],
] as const

async function drawResearch(): Promise<string> {
  const here = openScreenWorld([])
  const config = { name: 'import', primary_metric: 'ms', direction: 'lower', scope: ['*.txt'] }
  putRepository(here, {
    ...{ 'parse.txt': '60\n', 'sort.txt': '40\n', 'write.txt': '20\n' },
    '.auto/measure.sh': 'echo "METRIC ms=$(( $(cat parse.txt) + $(cat sort.txt) + $(cat write.txt) ))"\n',
    '.auto/config.json': JSON.stringify(config),
  })
  const research = (...words: string[]) => here.anode(['research', ...words])
  await research('init')
  await research('run')
  await research('log')
  for (const [path, value, description] of candidates) {
    here.put(path, `${value}\n`)
    await research('run', '--description', description)
    await research('log')
  }
  return await drawOutput(here, ['research', 'status'], 'anode research status')
}

/** Tasks of the study with the sentences that answer them. The last task waits for its model. */
const tasks = [
  {
    objective: 'Which rules decide whether a call runs?',
    quotes: ['One policy decides every call.', 'A rule can deny a call.', 'Each call is recorded.'],
  },
  {
    objective: 'What does the sandbox limit?',
    quotes: ['The sandbox limits files.', 'The sandbox limits the network.'],
  },
  {
    objective: 'What is stored before a change?',
    quotes: ['The old text is stored first.', 'Undo restores the old text.'],
  },
  { objective: 'Which changes can be undone?', quotes: [] },
]

function answerTask({ quotes }: { quotes: readonly string[] }, i: number): object[] {
  const task = `t${i + 1}`
  if (quotes.length === 0) return [{ task, delay_ms: 600_000, text: 'Too late.' }]
  return [
    { task, calls: [{ name: 'read', args: { path: `part${i + 1}.md` } }] },
    { task, claims: quotes.map((quote) => ({ text: quote, evidence: `E${i + 1}.1`, quote })) },
  ]
}

async function drawStudy(): Promise<string> {
  const here = openScreenWorld([])
  for (const [i, { quotes }] of tasks.entries()) here.put(`part${i + 1}.md`, `${quotes.join('\n')}\n`)
  const replies = tasks.flatMap(answerTask).map((reply) => `${JSON.stringify(reply)}\n`)
  here.put('../answers.jsonl', replies.join(''))
  here.put('../plan.json', JSON.stringify({ tasks: tasks.map(({ objective }) => ({ objective })) }))
  const question = 'How does Anode keep a repository safe?'
  const model = ['--model', 'script:../answers.jsonl']
  const words = ['study', question, '--plan', '../plan.json', '--workers', '4', ...model]
  const screen = here.start(words, { columns, rows: 40 })
  await screen.until(/t1 +done[\s\S]*t2 +done[\s\S]*t3 +done[\s\S]*t4 +step/, 30_000)
  return await draw(screen, `anode study "${question}"`)
}

const demonstration = 'manual/build.md'

/** The check of the demonstration does not end on the branch, nor the task `mail`, so that the board stays. */
const holds: Readonly<Record<string, string>> = {
  'codemod.js': "\nif (path.includes('mail')) setTimeout(() => {}, 600_000)\n",
  'encode.test.js': `
const isChanged = (name) => !require(\`./src/\${name}\`).encode.toString().includes('new Buffer')
if (process.cwd().includes('.queue') && isChanged('api')) test('all', () => new Promise((end) => setTimeout(end, 600_000)))
`,
}

/** Text of a build that differs between runs. Times are whole seconds. */
export const buildMasks: readonly ScreenMask[] = [
  { pattern: /^running {2}(?:\d+ s|\d+:\d\d)(?= {2})/, text: 'running  4 s' },
  { pattern: / {3,}(?:\d+ s|\d+:\d\d)(?= {2})/, text: '3 s', isRight: true },
  { pattern: /\b01[0-9A-HJKMNP-TV-Z]{24}\b/, text: '01JD3K8QAAV7T2M4N6P8R0S1W3' },
  { pattern: /\b01[0-9A-HJKMNP-TV-Z]{8}\b/, text: '01JD3K8QAA' },
  { pattern: /\b[0-9a-f]{10}\b/, text: '4f9d2c81a0' },
]

/** Draws the board of the demonstration in the manual while `api` is checked on the branch. */
async function drawBuild(): Promise<string> {
  const here = openScreenWorld([])
  const page = readFileSync(join(root, demonstration), 'utf8')
  const files = [...page.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)]
  const texts = files.map(([, path = '', text = '']) => [path, text + (holds[path] ?? '')])
  const source = "exports.encode = (text) => new Buffer(text).toString('base64')\n"
  const modules = ['store', 'api', 'mail', 'cli'].map((name) => [`src/${name}/index.js`, source])
  putRepository(here, Object.fromEntries([...texts, ...modules]))
  const screen = here.start(['build', '--plan', 'plan.yaml'], { columns, rows: 40 })
  await screen.until(/store +merged[\s\S]*api +merging[\s\S]*mail +running[\s\S]*cli +waiting/, 60_000)
  return await draw(screen, 'anode build --plan plan.yaml', buildMasks)
}

/** Pictures by file name. */
export const scenes: Readonly<Record<string, () => Promise<string>>> = {
  'approval.svg': () =>
    drawSession({
      ...{ mode: 'auto', task: 'The test of the cart fails. Fix it and commit.' },
      ...{ replies: [readCart, editCart, commitCart], seen: /git commit[\s\S]*Esc later/ },
    }),
  'session.svg': () =>
    drawSession({
      ...{ mode: 'edits', task: 'Why does the cart show a negative total?' },
      ...{ replies: [readCart, editCart, summary], seen: /prices again[\s\S]*\? help/ },
    }),
  'study.svg': drawStudy,
  'build.svg': drawBuild,
  'research.svg': drawResearch,
  'review.svg': drawReview,
  'proof.svg': drawProof,
  'compare.svg': drawCompare,
  'reviewer.svg': drawReviewer,
}
