// Events around a run: interrupts, time limits, floods, locks, another host, drift, the final and
// the null test.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../internal/research/settings.ts'
import { acquireFileLock } from '../../../internal/research/workspace/file-lock.ts'
import { env, files, lab, labIn, paired, plain, refusal } from '../../support/research.ts'
import { sampleRows } from '../../support/sample.ts'
import { harvest, scratchWith } from '../../support/scratch.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

const quick: SessionSettings = { ...paired, skipNullTest: true, scope: ['speed.txt'] }

/** Prints the value with a few percent of noise that no candidate can influence. */
const noisy = {
  ...files,
  '.auto/measure.sh':
    'awk -v v="$(cat speed.txt)" -v r="$RANDOM" \'BEGIN { print "METRIC ms=" v * (0.97 + 0.06 * r / ' +
    "32768) }'\n",
}

const crashes: { what: string; settings: SessionSettings; ran: object }[] = [
  {
    what: 'no METRIC line',
    settings: { ...plain, command: 'echo METRICS ms=1' },
    ran: { reason: 'no_metric' },
  },
  {
    what: 'NaN',
    settings: { ...plain, command: 'echo METRIC ms=NaN' },
    ran: { reason: 'no_metric', detail: 'cannot be read: METRIC ms=NaN' },
  },
  {
    what: 'Infinity',
    settings: { ...plain, command: 'echo METRIC ms=Infinity' },
    ran: { reason: 'no_metric' },
  },
  {
    what: 'a unit behind the number',
    settings: { ...plain, command: 'echo METRIC ms=5ms' },
    ran: { reason: 'no_metric' },
  },
  {
    what: 'another name',
    settings: { ...plain, command: 'echo METRIC s=5' },
    ran: { reason: 'no_metric', detail: /seen: s/ },
  },
  {
    what: 'two values',
    settings: { ...plain, command: 'echo METRIC ms=1; echo METRIC ms=2' },
    ran: { reason: 'ambiguous_metric' },
  },
  {
    what: 'a command that is not there',
    settings: { ...plain, command: 'no-such-program' },
    ran: { reason: 'exit 127', output: /not found/ },
  },
  {
    what: 'a command that may not run',
    settings: { ...plain, command: './README.md' },
    ran: { reason: 'exit 126' },
  },
  { what: 'a signal', settings: { ...plain, command: 'kill -9 $$' }, ran: { reason: 'exit SIGKILL' } },
  {
    what: 'no end',
    settings: { ...plain, command: 'echo METRIC ms=1; sleep 600', timeoutMs: 300 },
    ran: { reason: 'timeout' },
  },
]

it.each(sampleRows(crashes, 5))('reports $what as a crash', async ({ settings, ran }) => {
  const research = await lab().open()
  await research.init(settings)
  const found = await research.run()
  const { output, detail, ...rest } = ran as { output?: RegExp; detail?: RegExp | string }
  expect(found).toMatchObject({ status: 'crash', ...rest })
  if (output) expect(found.output).toMatch(output)
  if (detail) expect(found.detail).toMatch(detail)
  expect(await refusal(research.log({ status: 'baseline' }))).toBe('failed_run_not_keepable')
  expect((await research.log({ status: 'crash' })).line).not.toHaveProperty('metric')
})

it('survives a flood and keeps the beginning and the end of the output', async () => {
  const at = lab({
    ...files,
    '.auto/measure.sh': 'head -c 20000000 /dev/zero | tr "\\\\0" x; echo; echo METRIC ms=4\n',
  })
  const research = await at.open()
  await research.init(plain)
  const ran = await research.run()
  expect(ran).toMatchObject({ status: 'baseline', metric: 4 })
  expect(ran.output.length).toBeLessThanOrEqual(4096)
  const kept = Object.entries(harvest(at.data)).find(([name]) => name.endsWith('runs/1/stdout'))?.[1] ?? ''
  expect(kept.length).toBeLessThan(1_100_000)
})

it('ends background processes of a run', async () => {
  const research = await lab({
    ...files,
    '.auto/measure.sh': 'sleep 600 >/dev/null 2>&1 &\necho METRIC ms=1\n',
  }).open()
  await research.init(plain)
  expect(await research.run()).toMatchObject({
    leaked: 1,
    notes: ['leaked: 1 background process was ended'],
  })
})

it('settles an interrupted run at once', { timeout: 60_000 }, async () => {
  const at = lab({
    ...files,
    '.auto/measure.sh': 'test -e slow && sleep 600; echo "METRIC ms=$(cat speed.txt)"\n',
  })
  const research = await at.open()
  await research.init(plain)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '90\n')
  at.put('slow', '')
  const stop = new AbortController()
  const doomed = await at.open({ signal: stop.signal })
  const running = refusal(doomed.run())
  for (;;) {
    const [open] = (await research.state()).pending
    if (open?.state === 'running' && open.alive) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // another process that needs the session waits and gets the pid of the holder
  await expect(research.log({ status: 'discard' })).rejects.toThrow(`busy, pid ${process.pid}`)
  stop.abort()
  expect(await running).toBe('interrupted')
  const { active, pending } = await research.state()
  expect(pending).toEqual([])
  expect(active?.runs.at(-1)).toMatchObject({ run: 2, status: 'crash', reason: 'interrupted' })
  expect(at.read('speed.txt')).toBe('100\n')
  expect(await research.verify()).toMatchObject({ ok: true })
})

it('waits for the machine while another process measures', { timeout: 60_000 }, async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  const lease = await acquireFileLock(join(at.data, 'research', 'timing.lock'), {
    signal: new AbortController().signal,
  })
  const running = research.run()
  for (;;) {
    if (at.told.some(({ kind }) => kind === 'waiting')) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(at.told.find(({ kind }) => kind === 'waiting')).toEqual({ kind: 'waiting', pid: process.pid })
  await lease.release()
  expect(await running).toMatchObject({ metric: 100 })
})

it('takes new samples of the baseline on another host', { timeout: 60_000 }, async () => {
  const at = lab()
  const research = await at.open()
  await research.init(quick)
  await research.run()
  await research.log({ status: 'baseline' })
  const name = Object.keys(harvest(at.data)).find((file) => file.endsWith('ledger.jsonl')) as string
  const file = join(at.data, name)
  // the same ledger as if it had been written on another host, with a new hash chain
  const { fingerprint } = await import('../../../internal/base/fingerprint.ts')
  let prev = ''
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const entry = { ...JSON.parse(line), prev }
      if (entry.type === 'config') entry.host = { cpus: 96, model: 'another', node: '0.1.0' }
      const text = JSON.stringify(entry)
      prev = fingerprint(text)
      return text
    })
  writeFileSync(file, `${lines.join('\n')}\n`)
  at.put('.auto/log.jsonl', `${lines.join('\n')}\n`)
  at.put('speed.txt', '50\n')
  expect(await research.run()).toMatchObject({ status: 'keep' })
  const codes = at.told.flatMap((event) => (event.kind === 'warning' ? [event.code] : []))
  expect(codes).toContain('host_changed')
  await research.log({ status: 'keep' })
  const { active } = await research.state()
  expect(active?.drifts).toHaveLength(1)
  expect(active?.drifts[0]).toMatchObject({ samples: Array(8).fill(100) })
  at.put('speed.txt', '40\n')
  await research.run()
  await research.log({ status: 'keep' })
  expect((await research.state()).active?.drifts).toHaveLength(1)
})

it('concludes on new pairs and reports its certainty', { timeout: 120_000 }, async () => {
  const at = lab(noisy)
  const research = await at.open()
  await research.init(quick)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '70\n')
  expect(await research.run()).toMatchObject({ status: 'keep', reason: 'gain' })
  await research.log({ status: 'keep' })
  const line = await research.final()
  expect(line.samples.base).toHaveLength(20)
  expect(line.effect.pct).toBeLessThan(-25)
  expect(line.effect.ci[1]).toBeLessThan(0)
  expect((await research.state()).active?.finals).toHaveLength(1)
  const looks = at.told.flatMap((event) => (event.kind === 'look' ? [event] : []))
  expect(looks.length).toBeLessThanOrEqual(3)
  // each look names the next one, and the one that decides names none
  expect(looks.map(({ next }) => next)).toEqual([...looks.slice(1).map(({ pairs }) => pairs), 0])
})

it('accepts a very noisy metric and reports it', { timeout: 60_000 }, async () => {
  const at = lab({ ...files, '.auto/measure.sh': 'echo METRIC ms=$((1 << (RANDOM % 20)))\n' })
  const research = await at.open()
  const started = await research.init({ ...paired, scope: ['speed.txt'] })
  expect(started.notes.join()).toMatch(/^very noisy: measurements of the same files differ by \d+ %/)
})

it('builds once per tree and measures that build', { timeout: 60_000 }, async () => {
  const at = lab({ ...files, '.gitignore': 'out\n' })
  const research = await at.open()
  const build = 'mkdir -p out; cp speed.txt out/built; echo built >> "$PWD/../builds"'
  await research.init({ ...quick, build, command: 'echo METRIC ms=$(cat out/built); echo 1 > out/built' })
  expect(await research.run()).toMatchObject({
    status: 'baseline',
    metric: 100,
    samples: { base: Array(3).fill(100) },
  })
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '60\n')
  expect(await research.run()).toMatchObject({ status: 'keep', metric: 60 })
  await research.log({ status: 'keep' })
  at.put('speed.txt', '')
  at.put('speed.txt', 'x\n')
  expect(await research.run()).toMatchObject({ status: 'crash', reason: 'no_metric' })
})

it('reports a failing build as a crash', { timeout: 60_000 }, async () => {
  const at = lab()
  const research = await at.open()
  await research.init({ ...quick, build: 'grep -q 0 speed.txt || { echo "does not compile" >&2; exit 3; }' })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '7\n')
  const ran = await research.run()
  expect(ran).toMatchObject({ status: 'crash', reason: 'build', detail: 'exit 3: does not compile' })
})

it('reads the files of an earlier layout', async () => {
  const old = [
    '{"type":"config","name":"old","metricName":"s","metricUnit":"s","bestDirection":"lower"}',
    '{"run":1,"commit":"abc","metric":4.5,"metrics":{},"status":"keep",' +
      '"description":"first","timestamp":1,"segment":0}',
    'not json',
    '{"run":2,"metric":4.1,"status":"discard","description":"second"}',
  ].join('\n')
  const at = labIn(
    scratchWith({
      'autoresearch.sh': 'echo METRIC s=3\n',
      'autoresearch.checks.sh': 'true\n',
      'autoresearch.jsonl': old,
      'autoresearch.config.json': '{"maxIterations": 7}',
    }),
  )
  const research = await at.open()
  await research.init({ name: 'new', metric: 's', direction: 'lower' })
  expect(await research.run()).toMatchObject({ metric: 3, checks: 'ok' })
  const { legacy, active } = await research.state()
  expect(legacy.map(({ config, runs }) => [config.name, runs.map(({ metric }) => metric)])).toEqual([
    ['old', [4.5, 4.1]],
  ])
  expect(active?.config).toMatchObject({ maxRuns: 7, command: 'bash ./autoresearch.sh' })
  expect(at.read('autoresearch.jsonl')).toBe(old)
})

it('calls the hooks of a session for every run', async () => {
  const at = lab({
    ...files,
    '.auto/hooks/before.sh': 'echo "before $ANODE_EXPERIMENT"\n',
    '.auto/hooks/after.sh': 'echo "after $ANODE_EXPERIMENT: $ANODE_STATUS $ANODE_METRIC"; exit 3\n',
  })
  const research = await at.open()
  await research.init(plain)
  expect((await research.run()).notes).toEqual(['hook before: before 1'])
  expect((await research.log({ status: 'baseline' })).notes).toEqual([
    'hook after (exit 3): after 1: baseline 100',
  ])
  expect(await research.verify()).toMatchObject({ ok: true, lines: 4 })
})

it('links carried paths into every checkout, passes the named variables, and nothing else', async () => {
  const at = lab({
    ...files,
    '.gitignore': 'node_modules\n',
    '.auto/measure.sh': 'echo "METRIC ms=$(cat node_modules/value)"; echo "METRIC seen=$SHOWN$HIDDEN"\n',
  })
  at.put('node_modules/value', '12\n')
  const research = await at.open({ env: { ...env, SHOWN: '7', HIDDEN: '9' } })
  await research.init({ ...quick, carry: ['node_modules'], env: ['SHOWN'] })
  expect(await research.run()).toMatchObject({ status: 'baseline', metric: 12, metrics: { seen: 7 } })
})
