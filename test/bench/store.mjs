// Measures the store: durable mail between processes, search over many threads, memory of reading a long one.
// Alone: node test/bench/store.mjs. BENCH_STORE_MB sets the size of the search (1000), BENCH_STORE_S the
// seconds of mail (3).
import { fork } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { draw, median } from './measure.mjs'

const self = fileURLToPath(import.meta.url)

/** Returns rows of `what | floor | ours | ratio | goal`. */
export async function storeRows() {
  const mb = Number(process.env.BENCH_STORE_MB ?? 1000)
  const seconds = Number(process.env.BENCH_STORE_S ?? 3)
  const root = mkdtempSync(join(tmpdir(), 'anode-bench-store-'))
  try {
    const code = join(root, 'store.mjs')
    await bundle(code)
    return [
      ...(await mail(root, code, seconds)),
      ...(await search(root, code, mb)),
      ...(await resume(root, code, 100)),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function bundle(outfile) {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [fileURLToPath(new URL('../../internal/store/sqlite.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  // the bundle looks for SQLite next to itself
  symlinkSync(fileURLToPath(new URL('../../dist/sqlite', import.meta.url)), join(dirname(outfile), 'sqlite'))
}

/** Runs one of `jobs` in a separate process. Resolves with its result. */
function child(job, ...args) {
  return new Promise((done, fail) => {
    const process = fork(self, ['--job', job, ...args.map(String)])
    let said
    process.on('message', (message) => {
      said = message
    })
    process.on('exit', (code) => (code === 0 ? done(said) : fail(new Error(`${job} ended with ${code}`))))
  })
}

/**
 * The minimum is one append with fsync to a file by one process, because one durable message costs at least
 * this.
 */
async function mail(root, code, seconds) {
  const rows = []
  const floor = 1000 / median(Array.from({ length: 9 }, () => fsyncs(root)))
  for (const [what, job] of [
    ['mailbox, 8 processes, one by one', 'send'],
    ['mailbox, 8 processes, 20 in a tick', 'post'],
  ]) {
    const dir = join(root, job)
    await child('touch', code, dir)
    const start = Date.now() + 1500
    const counts = await Promise.all(
      Array.from({ length: 8 }, (_, i) => child(job, code, dir, `w${i}`, start, start + seconds * 1000)),
    )
    const ours = counts.reduce((sum, n) => sum + n, 0) / seconds
    rows.push({
      what,
      floor: `${floor.toFixed(0)} fsyncs a second`,
      ours: `${ours.toFixed(0)} a second`,
      ratio: `${(ours / floor).toFixed(2)} x`,
      goal: '>= 2000 a second',
      met: ours >= 2000,
    })
  }
  return rows
}

/** Returns the mean time of 50 appends with fsync in ms. */
function fsyncs(root) {
  const file = openSync(join(root, 'fsync'), 'a')
  const start = performance.now()
  for (let i = 0; i < 50; i++) {
    writeSync(file, 'x'.repeat(200))
    fsyncSync(file)
  }
  closeSync(file)
  return (performance.now() - start) / 50
}

async function search(root, code, mb) {
  const dir = join(root, 'search')
  const { seconds } = await child('fill', code, dir, mb)
  process.stderr.write(`filled ${mb} MB in ${seconds.toFixed(0)} s\n`)
  const times = await child('search', code, dir)
  return Object.entries(times).map(([what, { cold, warm }]) => ({
    what: `thread search, ${mb} MB, ${what}`,
    floor: '-',
    ours: `${warm.toFixed(1)} ms (the first time ${cold.toFixed(1)})`,
    ratio: '-',
    goal: '<= 100 ms',
    met: warm <= 100,
  }))
}

async function resume(root, code, mb) {
  const dir = join(root, 'resume')
  await child('long', code, dir, mb)
  const floor = await child('bare')
  const { rss, seconds } = await child('resume', code, dir)
  return [
    {
      what: `reading a ${mb} MB thread in pages, ${seconds.toFixed(1)} s, peak memory`,
      floor: `${floor.toFixed(0)} MiB`,
      ours: `${rss.toFixed(0)} MiB`,
      ratio: `${(rss / floor).toFixed(2)} x`,
      goal: '<= 150 MiB',
      met: rss <= 150,
    },
  ]
}

const mib = () => process.resourceUsage().maxRSS / 1024
const open = async (code, dir) => (await import(pathToFileURL(code).href)).openStore(dir)
const until = (time) => new Promise((done) => setTimeout(done, Number(time) - Date.now()))

const jobs = {
  touch: async (code, dir) => void (await open(code, dir)).todos.replace('t', []),
  bare: async () => mib(),
  send: async (code, dir, name, start, end) => {
    const { mail } = await open(code, dir)
    await until(start)
    let n = 0
    for (; Date.now() < Number(end); n++) mail.send(message(name, n))
    return n
  },
  post: async (code, dir, name, start, end) => {
    const { mail } = await open(code, dir)
    await until(start)
    let n = 0
    for (; Date.now() < Number(end); n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => mail.sendBatched(message(name, n + i))))
    }
    return n
  },
  fill: async (code, dir, mb) => {
    const { threads } = await open(code, dir)
    const text = writer()
    const pool = Array.from({ length: 3000 }, () => text(300 + Math.floor(text.random() ** 3 * 12_000)))
    const start = performance.now()
    let n = 0
    for (let bytes = 0; bytes < Number(mb) * 1e6; ) {
      const { id } = threads.create({ workspace: `/w${n % 20}`, title: `thread ${n}`, profile: 'craft' })
      const entries = Array.from({ length: 300 }, () => {
        const body = `${pool[Math.floor(text.random() * pool.length)]} unique${n++}`
        bytes += body.length
        return { type: 'message', payload: { role: 'assistant', text: body } }
      })
      threads.append(id, 'run', entries)
    }
    return { seconds: (performance.now() - start) / 1000 }
  },
  search: async (code, dir) => {
    const { threads } = await open(code, dir)
    const { words } = writer()
    const queries = {
      'a unique word': 'unique12345',
      'a rare word': words[50_000],
      'three rare words': `${words[20_000]} ${words[30_000]} ${words[40_000]}`,
      'a word in one of 80 events': words[5_000],
      'a word in one of 2': words[50],
      'four words in one of 2 to 10': `${words[50]} ${words[60]} ${words[200]} ${words[500]}`,
      'a common and a rare word': `${words[10]} ${words[50_000]}`,
      'a common word, one workspace': words[50],
    }
    const times = {}
    for (const [what, query] of Object.entries(queries)) {
      const options = { limit: 10, ...(what.endsWith('workspace') && { workspace: '/w0' }) }
      const all = Array.from({ length: 10 }, () => {
        const start = performance.now()
        threads.search(query, options)
        return performance.now() - start
      })
      times[what] = { cold: all[0], warm: median(all.slice(1)) }
    }
    return times
  },
  long: async (code, dir, mb) => {
    const { threads } = await open(code, dir)
    const text = writer()
    threads.create({ workspace: '/w', title: 't', profile: 'p', id: 'sess_LONG' })
    for (let bytes = 0; bytes < Number(mb) * 1e6; ) {
      const entries = Array.from({ length: 50 }, () => {
        const body = text(30_000)
        bytes += body.length
        return { type: 'tool.result', payload: { call: 'c', tool: 'bash', ok: true, text: body } }
      })
      threads.append('sess_LONG', 'run', entries)
    }
  },
  resume: async (code, dir) => {
    const { threads } = await open(code, dir)
    const start = performance.now()
    let chars = 0
    for (let after = 0; ; ) {
      const page = threads.events('sess_LONG', after, 100)
      if (page.length === 0) break
      for (const event of page) chars += event.payload.text.length
      after = page[page.length - 1].pos
    }
    if (chars === 0) throw new Error('the thread is empty')
    return { rss: mib(), seconds: (performance.now() - start) / 1000 }
  },
}

const message = (name, n) => ({
  scope: 's',
  from: name,
  // the limit of a mailbox is 10,000
  to: `box-${name}-${Math.floor(n / 5000)}`,
  type: 'status',
  body: `message ${n} of ${name}`,
  expiresMs: 1000,
})

/** Returns the same text of 60,000 words each time. Their frequencies are 1/rank, as in real texts. */
function writer() {
  let state = 7
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  const found = new Set()
  while (found.size < 60_000) {
    let word = ''
    for (let n = 1 + Math.floor(random() * 3.2); n > 0; n--) {
      word += 'bcdfghklmnprstvz'[Math.floor(random() * 16)] + 'aeiou'[Math.floor(random() * 5)]
      if (random() < 0.3) word += 'bcdfghklmnprstvz'[Math.floor(random() * 16)]
    }
    found.add(word)
  }
  const words = [...found].sort((a, b) => a.length - b.length)
  const sums = []
  for (const i of words.keys()) sums.push((sums[i - 1] ?? 0) + (i + 2) ** -1.02)
  const pick = () => {
    const wanted = random() * sums[sums.length - 1]
    let low = 0
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >> 1
      if (sums[middle] < wanted) low = middle + 1
      else high = middle
    }
    return words[low]
  }
  const text = (length) => {
    let out = ''
    while (out.length < length) out += pick() + (random() < 0.05 ? '.\n' : ' ')
    return out
  }
  return Object.assign(text, { words, random })
}

if (process.argv[2] === '--job') {
  const answer = await jobs[process.argv[3]](...process.argv.slice(4))
  process.send(answer ?? null, () => process.exit(0))
} else if (process.argv[1] === self) {
  process.stdout.write(`${draw(await storeRows())}\n`)
}
