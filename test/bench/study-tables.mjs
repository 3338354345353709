// Rows of `npm run bench:study` about tables: a model server with a limit that three machines share, and a
// coordinator that is killed when half of 1,000 rows are requested.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { endOwned, spawnOwned } from './owned.mjs'

const textOf = (n) => `Report ${n}\n\nIn total ${n + 20} patients were enrolled.\n`
const asked = ['study', 'How many were enrolled?', '--each', 'papers/*.txt', '--columns', 'patients: number']

/** Starts a model that answers each row with its number. `allow` may return a refusal and headers. */
async function serveRows(delayMs, allow) {
  const served = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method !== 'POST') return response.writeHead(404).end()
    const { messages } = JSON.parse(Buffer.concat(chunks))
    const found = /^Document papers\/(\d+)\.txt/m.exec(String(messages[1]?.content))?.[1]
    const { refused = false, headers } = allow(found === undefined ? undefined : Number(found))
    if (refused) {
      const body = JSON.stringify({ error: { message: 'Rate limit reached' } })
      return response.writeHead(429, { 'content-type': 'application/json', ...headers }).end(body)
    }
    const answer = found === undefined ? '- All of them enrolled patients.' : rowOf(Number(found))
    setTimeout(() => writeAnswer(response, answer, headers), delayMs)
  })
  await new Promise((resolve) => served.listen(0, '127.0.0.1', resolve))
  const close = () => {
    served.closeAllConnections()
    return new Promise((resolve) => served.close(resolve))
  }
  return { url: `http://127.0.0.1:${served.address().port}/v1`, close }
}

function rowOf(n) {
  const quote = `In total ${n + 20} patients were enrolled.`
  return JSON.stringify({ row: { patients: { value: `${n + 20}`, quote } } })
}

function writeAnswer(response, text, headers) {
  const frame = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'me' }
  const part = (value) => response.write(`data: ${JSON.stringify({ ...frame, ...value })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  part({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] })
  part({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  part({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })
  response.end('data: [DONE]\n\n')
}

/** Returns a machine with its own home, and with `count` documents. */
function createMachine({ anode, home }, name, count, url) {
  const place = join(home, name)
  const dir = join(place, 'work')
  mkdirSync(join(dir, 'papers'), { recursive: true })
  mkdirSync(join(place, '.config', 'anode'), { recursive: true })
  for (let n = 1; n <= count; n++) writeFileSync(join(dir, 'papers', `${n}.txt`), textOf(n))
  const me = { baseUrl: url, model: 'me', window: 200_000, price: { input: 1, output: 2 } }
  const config = JSON.stringify({ providers: { me }, model: 'me/me' })
  writeFileSync(join(place, '.config', 'anode', 'config.json'), config)
  const env = { PATH: process.env.PATH, HOME: place }
  const start = (...words) => {
    const child = spawnOwned(anode[0], [...anode.slice(1), ...words], {
      cwd: dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const text = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      text.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      text.err += chunk
    })
    const ended = new Promise((resolve) =>
      child.on('close', (code, signal) => resolve({ ...text, code, signal })),
    )
    const says = (what) =>
      new Promise((resolve, reject) => {
        child.stdout.on('data', () => text.out.includes(what) && resolve())
        child.on('close', () => reject(new Error(`ended without "${what}": ${text.err.slice(-400)}`)))
      })
    return { child, ended, says }
  }
  const run = async (...words) => {
    const done = await start(...words).ended
    if (done.code !== 0) throw new Error(`${words[0]} ended with ${done.code}: ${done.err.slice(-600)}`)
    return done.out
  }
  return { start, run }
}

const limit = 12
const windowMs = 2_000

/** Returns a limit of requests in windows of fixed length, and the number of its refusals. */
function createLimit() {
  let begin = Date.now()
  let used = 0
  const counts = { refused: 0 }
  const allow = () => {
    const now = Date.now()
    if (now >= begin + windowMs) {
      begin = now
      used = 0
    }
    const resetMs = begin + windowMs - now
    if (used >= limit) {
      counts.refused++
      return { refused: true, headers: { 'retry-after-ms': `${resetMs}` } }
    }
    used++
    return {
      headers: {
        'x-ratelimit-limit-requests': `${limit}`,
        'x-ratelimit-remaining-requests': `${limit - used}`,
        'x-ratelimit-reset-requests': `${resetMs}ms`,
      },
    }
  }
  return { allow, counts }
}

/** Refusals of a provider whose limit three machines share through the Redis server at `url`. */
export async function measureLimit(place, url) {
  const documents = 100
  const { allow, counts } = createLimit()
  const model = await serveRows(50, allow)
  const workers = []
  try {
    for (const label of ['one', 'two', 'three']) {
      const machine = createMachine(place, `limit-${label}`, documents, model.url)
      const worker = machine.start('worker', '--label', label, '--slots', '4', '--engine', url)
      workers.push(worker.child)
      await worker.says('serves corpus')
    }
    const lead = createMachine(place, 'limit-lead', documents, model.url)
    const engine = ['--engine', url, '--local', '0', '--json', '--quiet']
    // the first responses tell the limit
    await lead.run(...asked, ...engine, '--sample', '2', '--workers', '1')
    const before = counts.refused
    const { filled } = JSON.parse(await lead.run(...asked, ...engine, '--workers', '12')).counts
    const share = (counts.refused - before) / (documents + counts.refused - before)
    return {
      what: `3 machines on one limit, ${filled} of ${documents} rows: requests refused with 429`,
      floor: '',
      ours: `${(100 * share).toFixed(1)} %`,
      ratio: '',
      goal: '<= 2 %',
      met: filled === documents && share <= 0.02,
    }
  } finally {
    for (const worker of workers) await endOwned(worker)
    await model.close()
  }
}

/** Rows and recorded responses that are there twice after a kill of the coordinator at half, and a resume. */
export async function measureKill(place) {
  const documents = Number(process.env.BENCH_ROWS ?? 1000)
  const slots = 32
  const requests = []
  let lead
  const model = await serveRows(200, (row) => {
    if (row !== undefined) requests.push(row)
    if (requests.length === documents / 2) lead.child.kill('SIGKILL')
    return {}
  })
  try {
    const machine = createMachine(place, 'killed', documents, model.url)
    lead = machine.start(...asked, '--workers', `${slots}`, '--yes', '--json', '--quiet')
    const { signal, err } = await lead.ended
    if (signal !== 'SIGKILL') throw new Error(`ended before the kill: ${err.slice(-600)}`)
    const { filled } = JSON.parse(await machine.run('study', 'resume', 'last', '--json', '--quiet')).counts
    const trace = await machine.run('study', 'trace', 'last', '--json')
    const entries = trace
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const twice = (kind) => {
      const tasks = entries.flatMap((entry) => (entry.kind === kind ? [entry.data.task] : []))
      const ofRows = tasks.filter((task) => /^t\d+$/.test(task))
      return ofRows.length - new Set(ofRows).size
    }
    // a response on its way to a killed process is not recorded, so at most one request a slot is sent again
    const again = requests.length - documents
    const rows = filled === documents && twice('row') === 0
    return {
      what: `${filled} of ${documents} rows, kill -9 at half: rows twice, responses paid twice, sent again`,
      floor: '',
      ours: `${twice('row')}, ${twice('step')}, ${again}`,
      ratio: '',
      goal: `0, 0, <= ${slots} on their way`,
      met: rows && twice('step') === 0 && again <= slots,
    }
  } finally {
    await model.close()
  }
}
