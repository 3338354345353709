// A session of a toolset over a small real tree, whose calls are compared with goldens.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FailureError, UserError, userFailure } from '../../internal/base/errors.ts'
import { createSessionPlanning, withPlanning } from '../../internal/runtime/agent/session-planning.ts'
import { openDirectCalls } from '../../internal/service/calls/direct-call.ts'
import type { SpawnResult } from '../../internal/tool/agents.ts'
import type { UserReply } from '../../internal/tool/ask.ts'
import { type CallRequest, type CallResult, invoke } from '../../internal/tool/invoke.ts'
import { parseArguments } from '../../internal/tool/parse.ts'
import { nativeTools } from '../../internal/tools/index.ts'
import { variantOf } from '../../internal/tools/variants/index.ts'
import { adapterSite } from './adapter-site.ts'
import { golden } from './golden.ts'
import { plant, scratch } from './scratch.ts'
import { root } from './sources.ts'

export interface AdapterCase {
  /** What the case shows: `usual`, `edge …`, `refusal …`, `cut …`. */
  case: string
  /** `TREE` becomes the path of the directory tree. */
  args: Record<string, unknown>
  /** Calls that are made first. */
  before?: readonly { name: string; args: Record<string, unknown> }[]
  env?: Record<string, string>
  /** A session in which calls follow each other: these come first, and `LAST` is the id of the last one. */
  after?: readonly { face: string; args: Record<string, unknown> }[]
  /** What the user answers. Without it, no user is present. */
  reply?: Omit<Extract<UserReply, { status: 'answered' }>['answers'][number], 'id'> | 'dismissed'
  /** In a session with a site and a search engine at `SITE`. */
  web?: true
  /** How a child agent ends that the call starts; a text: why none can be started. */
  child?: Partial<SpawnResult> | string
}

const endedChild: SpawnResult = {
  ...{ end: 'done', reason: undefined, text: 'It is R.', thread: 'sess_2' },
  ...{ receipts: { read: ['notes.txt'], changed: [], commands: [] }, turns: 2, calls: 1, tokens: 9 },
  ...{ usd: 0, ms: 100 },
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What some toolsets need besides. */
const moreFiles: Readonly<Record<string, Record<string, string | Buffer>>> = {
  researchharness: {
    '.env': 'KEY=1\n',
    'dot.png': Buffer.from(dot, 'base64'),
    'dot.jpg': Buffer.from(dot, 'base64'),
    'paper.pdf': readFileSync(join(root, 'test/fixtures/paper.pdf')),
  },
}

const files = {
  '.gitignore': 'out/\n',
  'notes.txt': 'one\ntwo\nthree\n',
  'empty.txt': '',
  'long.txt': Array.from({ length: 400 }, (_, i) => `line ${i + 1}\n`).join(''),
  'wide.txt': `${'x'.repeat(60_000)}\n`,
  'blob.bin': Buffer.from([0, 1, 2, 3, 0, 255]),
  'src/main.ts': 'const retries = 3\nexport const name = "a"\nconst again = 3\n',
  'src/deep/b.ts': 'export const b = 1\n',
  'out/made.js': '1\n',
}

type AdapterSession = Awaited<ReturnType<typeof openDirectCalls>>

/** Runs the cases of one face in order, each on a fresh tree, and compares what was called and what came. */
export async function compareAdapter(
  toolset: string,
  adapter: string,
  cases: readonly AdapterCase[],
): Promise<void> {
  const dir = scratch()
  const rows: unknown[] = []
  const sessions = new Map<string, AdapterSession>()
  try {
    for (const { case: name, args, before = [], env = {}, ...more } of cases) {
      for (const entry of readdirSync(dir)) rmSync(join(dir, entry), { recursive: true })
      // goldens show modes, so the umask of this machine must not count
      const mask = process.umask(0o022)
      plant(dir, { ...files, ...moreFiles[toolset] })
      process.umask(mask)
      if (more.after || more.reply !== undefined || more.web || more.child !== undefined) {
        rows.push({
          case: name,
          ...(await runFollowing(toolset, adapter, dir, { case: name, args, ...more })),
        })
        continue
      }
      const key = JSON.stringify(env)
      const session = sessions.get(key) ?? (await openSession(toolset, adapter, dir, env))
      sessions.set(key, session)
      const inTree = <T>(value: T) => fill(value, { TREE: dir }) as T
      for (const call of before) await session.call(inTree(call))
      rows.push({ case: name, ...(await run(session, adapter, inTree(args), session.call)) })
    }
  } finally {
    for (const session of sessions.values()) await session.close()
  }
  golden(`toolset/${toolset}/${adapter}.json`, `${JSON.stringify(rows, null, 2)}\n`)
}

function openSession(toolset: string, adapter: string, dir: string, env: Record<string, string>) {
  const data = scratch()
  return openDirectCalls({
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data, TZ: 'UTC', ...env },
    signal: new AbortController().signal,
    mode: 'unrestricted',
    approval: 'flag',
    addDirs: [],
    record: 'changes',
    single: true,
    toolset: { name: toolset, extra: [`${toolset}/${adapter}`] },
    names: adapter.startsWith('Terminal') ? ['*'] : [adapter],
    terminal: undefined,
  })
}

/** Runs one case in a new session, which plans, asks, remembers its calls and reaches a local site. */
async function runFollowing(
  toolset: string,
  adapter: string,
  dir: string,
  { args, after = [], reply, web, child }: AdapterCase,
) {
  const data = scratch()
  const site = web && (await adapterSite())
  if (site)
    plant(data, {
      'anode/config.json': JSON.stringify({
        web: { provider: 'searxng', searxngUrl: site.base, scholar: 'openalex' },
      }),
    })
  const answer: UserReply | undefined =
    reply === 'dismissed'
      ? { status: 'dismissed' }
      : reply && { status: 'answered', answers: ['q1', 'plan'].map((id) => ({ id, ...reply })) }
  const session = await openDirectCalls({
    ...{ cwd: dir, addDirs: [], mode: 'unrestricted', approval: 'flag', record: 'always' },
    env: { PATH: process.env.PATH, HOME: data, ANODE_DATA_DIR: data, XDG_CONFIG_HOME: data, TZ: 'UTC' },
    rules: [{ tool: 'web_fetch', host: '127.0.0.1', action: 'allow' }],
    ...{ signal: new AbortController().signal, terminal: undefined },
    toolset: { name: toolset, extra: [`${toolset}/${adapter}`] },
    ...(answer && { user: { ask: async ({ questions }) => answerOf(answer, questions[0]?.id) } }),
  })
  const planning = createSessionPlanning({
    ...{ dataDir: data, thread: 'sess_1', before: undefined, report: async () => undefined },
  })
  const planned = withPlanning(session.ctx, planning)
  const spawn = async () => {
    if (typeof child === 'string') throw new UserError(child)
    return { ...endedChild, ...child }
  }
  const { fetch } = planned.can
  const lead = site && fetch ? { fetch: site.lead(fetch) } : {}
  const agents = child === undefined ? planned.can.agents : { spawn, branch: spawn }
  const ctx = site || child !== undefined ? { ...planned, can: { ...planned.can, ...lead, agents } } : planned
  const call: Run = (request) => invoke(session.catalog, ctx, request)
  try {
    let last = ''
    for (const { face: name, args: given } of after)
      last = (await call({ name, args: fill(given, { DATA: data }) as typeof given })).call
    const filled = fill(args, { LAST: last, SITE: site?.base ?? '' }) as typeof args
    const shown = await run({ catalog: session.catalog, ctx }, adapter, filled, call)
    const text = JSON.stringify(shown)
      .replaceAll(site?.base ?? data, '<site>')
      .replace(/<above>\/t\w{6}\b/g, '<data>')
    return JSON.parse(text) as typeof shown
  } finally {
    await session.close()
  }
}

type Run = (request: CallRequest) => Promise<CallResult>

const fill = (args: unknown, values: Readonly<Record<string, string>>): unknown =>
  JSON.parse(JSON.stringify(args).replace(/LAST|SITE|DATA|TREE/g, (name) => values[name] ?? name))

/** Returns the answer to the only question. */
function answerOf(reply: UserReply, id: string | undefined): UserReply {
  if (reply.status !== 'answered') return reply
  return { ...reply, answers: reply.answers.filter((one) => one.id === id) }
}

async function run(
  session: Pick<AdapterSession, 'catalog' | 'ctx'>,
  adapter: string,
  args: Record<string, unknown>,
  call: Run,
) {
  const native = await nativeCall(session, adapter, args)
  const { result, answered } = await observeNative(native?.tool, () => call({ name: adapter, args }))
  const { text, failed } = result
  const plain = (value: unknown) =>
    JSON.parse(scrub(JSON.stringify(value ?? null), session.ctx.cwd)) as unknown
  return {
    args: plain(args) as typeof args,
    native: plain(native),
    ...(failed ? { failed: failed.code } : answered !== undefined && { answered }),
    text: plain(text),
  }
}

/** Makes a call and sees how the native tool behind it failed, also where the face makes a result of that. */
async function observeNative(name: string | undefined, make: () => Promise<CallResult>) {
  const native = name === undefined ? undefined : await nativeTools[name]?.()
  if (!native) return { result: await make(), answered: undefined }
  const tool = variantOf(native)
  const { run } = tool
  let answered: string | undefined
  tool.run = async (args, ctx) => {
    const running = Promise.resolve(run.call(tool, args, ctx))
    const failure = await running.then(({ failed }) => failed, failureOfThrown)
    answered = failure?.code
    return running
  }
  try {
    const result = await make()
    return { result, answered }
  } finally {
    tool.run = run
  }
}

const failureOfThrown = (error: unknown) => {
  if (error instanceof UserError) return userFailure(error)
  return error instanceof FailureError ? error.failure : undefined
}

async function nativeCall(
  { catalog, ctx }: Pick<AdapterSession, 'catalog' | 'ctx'>,
  adapter: string,
  args: Record<string, unknown>,
) {
  const tool = await catalog.find(adapter)?.load(args)
  const parsed = tool && parseArguments(tool.input, args)
  if (!tool?.adapter || !parsed?.ok) return null
  try {
    return { tool: tool.name, args: tool.adapter.map(parsed.args, ctx).args }
  } catch (error) {
    // what the face itself refuses becomes no call
    if (error instanceof FailureError) return null
    throw error
  }
}

/**
 * Replaces parts that differ from run to run: directories, times, ids, and long texts without information.
 */
function scrub(json: string, dir: string): string {
  return (
    json
      .replaceAll(dir, '<dir>')
      .replaceAll(basename(dir), '<name>')
      .replaceAll(dirname(dir), '<above>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
      .replace(/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/g, '<day>')
      .replace(/(slept_seconds\W+)[\d.]+/g, '$1<seconds>')
      // whether there is a sandbox depends on the machine
      .replace(/notes: \[sandbox: [^\]]* (?:is shown empty|is closed by a permission rule)\](?:\\n|\n)/g, '')
      // where a shell is depends on the machine
      .replace(/shell: \/[^\s"\\]*\/(?=\w+)/g, 'shell: <programs>/')
      .replace(/(duration_ms|pid): \d+/g, '$1: <n>')
      .replace(/(call|cron)_[0-9A-Z]{26}/g, '<$1>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '<time>')
      .replace(/ANODE_DATA_DIR=.*?(?= cron run)/g, '<program>')
      .replace(/x{100,}/g, (run) => `<x times ${run.length}>`)
      .replace(/(?:line \d+(?:\\\\n|\\n)){20,}/g, (run) => `<${run.split('line').length - 1} lines>`)
  )
}
