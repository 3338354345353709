// Executions in namespaces: no execution finds files of an earlier one, and no process of it survives.
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runBenchmark } from '../../../../../internal/research/measure/benchmark-execution.ts'
import {
  isolatedWords,
  probeIsolation,
} from '../../../../../internal/research/measure/isolation/isolation.ts'
import type { SessionSettings } from '../../../../../internal/research/settings.ts'
import { escapeProgram, openEscapeGround, readEscapes } from '../../../../support/escapes.ts'
import { env, type Lab, lab, paired } from '../../../../support/research.ts'
import { run } from '../../../../support/run.ts'
import { sampleRows } from '../../../../support/sample.ts'
import { scratch } from '../../../../support/scratch.ts'

vi.setConfig({ testTimeout: 90_000 })

const files = {
  'src/prog.sh': 'echo 100\n',
  'src/read-me': 'x\n',
  '.auto/measure.sh': 'echo "METRIC ms=$(bash src/prog.sh)"\n',
}
const settings: SessionSettings = { ...paired, skipNullTest: true, scope: ['src'], minEffect: 0.05 }
const bare = { PATH: process.env.PATH ?? '' }

const probe = () =>
  probeIsolation({ run, env: bare, scratch: scratch(), signal: new AbortController().signal })
const canIsolate =
  (await run({ file: 'unshare', args: ['-Urm', 'true'], cwd: '/', env: bare }).catch(() => undefined))
    ?.exit === 0

/** Logs a baseline, then replaces and measures the program. */
async function judged(at: Lab, program: string, over: Partial<SessionSettings> = {}) {
  const research = await at.open()
  await research.init({ ...settings, ...over })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', program)
  return { research, ran: await research.run() }
}

/** Returns ways to signal an earlier execution to a later one: a test, and the command that makes it true. */
const caches = (id: string, at: Lab): [string, string, string][] => [
  ...[
    '/tmp',
    '/var/tmp',
    '/dev/shm',
    '$HOME',
    '$TMPDIR',
    process.env.HOME ?? '/root',
    at.dir,
    at.data,
    '$PWD',
    '..',
    '../..',
  ].map((place, i): [string, string, string] => [
    place,
    `test -e ${place}/${id}-${i}`,
    `touch ${place}/${id}-${i}`,
  ]),
  ['time of a folder', 'test "$(stat -c %Y src)" = 4321', 'touch -d @4321 src'],
  ['mode of a folder', 'test "$(stat -c %a src)" = 711', 'chmod 711 src'],
  ['time of a file', 'test "$(stat -c %Y src/read-me)" = 4321', 'touch -d @4321 src/read-me'],
  ['time of reading', 'test "$(stat -c %X src/read-me)" -gt "$(stat -c %Y src/read-me)"', 'cat src/read-me'],
  ['attributes of a file', 'getfattr -n user.x src/read-me', 'setfattr -n user.x -v 1 src/read-me'],
  ['attributes of a folder', 'getfattr -n user.x src', 'setfattr -n user.x -v 1 src'],
  ['shared memory', `ipcs -m | grep -q ' 4321$'`, 'ipcmk -M 4321'],
]

describe.skipIf(!canIsolate)('in namespaces', () => {
  it('finds nothing of an earlier execution anywhere', async () => {
    const at = lab(files)
    const id = `anode-${randomBytes(6).toString('hex')}`
    const table = caches(id, at)
    const lines = table.map(
      ([, known, make], i) => `if ${known}; then echo METRIC found_${i}=1 >&2; cost=50; fi; ${make}`,
    )
    const program = `exec 5>&1 1>/dev/null; cost=100\n{\n${lines.join('\n')}\n} 3>&2 2>/dev/null\necho "$cost" >&5\n`
    const { ran } = await judged(at, program.replaceAll('>&2; cost', '>&3; cost'))
    const found = Object.keys(ran.metrics).map((name) => table[Number(name.slice(6))]?.[0])
    expect(found).toEqual([])
    expect(ran).toMatchObject({ status: 'discard', reason: 'below_min_effect', isolation: 'namespaces' })
    for (const place of ['/tmp', '/var/tmp', '/dev/shm'])
      expect(readdirSync(place).filter((name) => name.startsWith(id))).toEqual([])
  })

  it('sees neither the other checkout nor the data of the judge', async () => {
    const at = lab(files)
    const look = [
      `ls -A ${at.data}/research ${at.data}/checkouts ${at.data}/holdouts 2>/dev/null | grep -v ':$' | grep -c .`,
      'ls -d .. ../* | wc -l',
    ]
    const program = `${look.map((line, i) => `echo "seen_${i}=$(${line})" >&2`).join('\n')}\necho 100\n`
    const { ran } = await judged(at, program, { holdout: 'true' })
    expect(ran.output).toMatch(/^seen_0=0$/m)
    // checkout, home, tmp, var and the directory itself
    expect(ran.output).toMatch(/^seen_1=5$/m)
  })

  it.each(
    sampleRows(
      [
        ['cleared its environment and made a session', 'env -i setsid -f sleep 6541'],
        ['lost its parents twice', '( ( env -i setsid sleep 6541 & ) & )'],
        ['ignores signals', `env -i setsid -f bash -c 'trap "" TERM HUP INT; sleep 6541; sleep 6541'`],
        ['closed everything', 'env -i setsid -f sleep 6541 <&- >&- 2>&-'],
      ],
      2,
    ),
  )('ends a process that %s', async (_, daemon) => {
    const at = lab(files)
    const { ran } = await judged(at, `{ ${daemon}; } >/dev/null 2>&1\necho 100\n`)
    expect(ran).toMatchObject({ status: 'discard', isolation: 'namespaces' })
    expect(ran.leaked).toBeGreaterThanOrEqual(2)
    expect(sleepers('6541')).toEqual([])
  })

  it('reaches no outside process, and gets every processor', async () => {
    const at = lab(files)
    const own = processors()
    const other = own === '0' ? 1 : 0
    const program = [
      `for p in ${process.pid} 1; do taskset -apc ${other} $p; renice -n 19 -p $p; kill -STOP $p; done >/dev/null 2>&1`,
      'echo "cpus=$(nproc)" >&2',
      'echo 100',
    ].join('\n')
    const { ran } = await judged(at, program)
    expect(ran).toMatchObject({ status: 'discard', reason: 'below_min_effect', lock: 'ok' })
    expect(processors()).toBe(own)
    const found = await probe()
    const all = found.cpus === '' ? ['nproc'] : ['taskset', '-c', found.cpus, 'nproc']
    const [file = '', ...args] = all
    const { stdout } = await run({ file, args, cwd: '/', env: bare })
    expect(ran.output).toContain(`cpus=${Number(stdout.text)}\n`)
  })

  it('cannot undo its isolation', async () => {
    const at = lab(files)
    const id = `anode-${randomBytes(6).toString('hex')}`
    const tries = [
      'mount -o remount,bind,rw /',
      'umount /tmp',
      `unshare -Urm bash -c 'mount -o remount,bind,rw /; umount /tmp; touch /var/${id}'`,
      `touch /proc/1/root/var/${id}`,
      '( exec 9>>/proc/sys/vm/drop_caches ) && echo METRIC sysctl=1 >&3',
      `for fd in /proc/1/fd/*; do echo 99 > $fd; done`,
    ]
    const program = `{\n${tries.join('\n')}\n} 3>&2 >/dev/null 2>&1\necho 100\n`
    const { ran } = await judged(at, program)
    expect(ran).toMatchObject({ status: 'discard', leaked: 0, metrics: {} })
    expect(existsSync(`/var/${id}`)).toBe(false)
  })

  it('passes on output, exit codes, metrics on descriptor 3 and the time limit', async () => {
    const at = lab(files)
    const first = await judged(at, 'echo to stdout; echo to stderr >&2; exit 7\n', {
      command: 'bash src/prog.sh && echo METRIC ms=100 >&3',
      strictMetrics: true,
    })
    expect(first.ran).toMatchObject({ status: 'crash', reason: 'exit 7' })
    expect(first.ran.output).toContain('to stdout')
    await first.research.log({ status: 'crash' })
    at.put('src/prog.sh', 'sleep 30\n')
    const slow = await first.research.run({ timeoutMs: 500 })
    expect(slow).toMatchObject({ status: 'crash', reason: 'timeout' })
  })

  it('fails if isolation is required and not available', async () => {
    const at = lab(files)
    const bin = scratch()
    const taken = new Set(['unshare'])
    for (const dir of (process.env.PATH ?? '').split(':')) {
      for (const name of existsSync(dir) ? readdirSync(dir) : []) {
        if (taken.has(name)) continue
        symlinkSync(join(dir, name), join(bin, name))
        taken.add(name)
      }
    }
    const research = await at.open({ env: { ...env, PATH: bin } })
    await expect(research.init({ ...settings, skipNullTest: false, isolate: 'require' })).rejects.toThrow(
      /isolated/,
    )
    await research.init(settings)
    const ran = await research.run()
    expect(ran.isolation).toMatch(/^not isolated: .*unshare/)
    const { line } = await research.log({ status: 'baseline' })
    expect(line.isolation).toBe(ran.isolation)
  })
})

it.skipIf(!canIsolate).each(['/var/tmp', '/dev/shm'])('also isolates data in %s', async (place) => {
  const data = mkdtempSync(join(place, 'anode-walls-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const at = lab(files)
  const elsewhere = { ...at, open: () => at.open({ data }) }
  const { ran } = await judged(elsewhere, `test -e ${data} && echo 50 || echo 100\n`)
  expect(ran).toMatchObject({ status: 'discard', isolation: 'namespaces' })
})

it('reaches nothing but its checkout in the sandbox, and cannot change locked files', async ({ skip }) => {
  const ground = await openEscapeGround()
  onTestFinished(() => ground.close())
  if (!ground.active) return skip()
  const { work, runner, root, outside } = ground
  const checkout = join(root, 'checkout')
  mkdirSync(checkout)
  writeFileSync(join(checkout, 'try.sh'), escapeProgram(ground, 'tried.txt'))
  writeFileSync(join(checkout, 'judge.sh'), 'exit 0\n')
  const probed = await probeIsolation({
    ...{ run: runner.run, env: bare, scratch: join(root, 'scratch'), signal: new AbortController().signal },
  })
  expect(probed.kind).toBe('wall')
  const line = [
    `bash try.sh 3>&-; test -e ${outside}/file && echo ESCAPED >>tried.txt; test -e ${work} && echo ESCAPED >>tried.txt`,
    'echo x >>judge.sh && echo ESCAPED >>tried.txt; rm -f judge.sh && echo ESCAPED >>tried.txt',
    '[ "$(ls -A "$TMPDIR" "$HOME" | grep -c "^[^/]")" = 0 ] || echo ESCAPED >>tried.txt',
    'mkfifo left; env -i setsid -f sleep 6541; echo METRIC ms=1 >&3',
  ].join('\n')
  const isolated = {
    checkout,
    cwd: '/tmp/anode/checkout',
    keep: [],
    cover: [],
    mask: [],
    locked: ['judge.sh'],
  }
  const { signal } = new AbortController()
  const stage = { run: runner.run, cwd: checkout, env: bare, fresh: join(root, 'fresh'), isolated, signal }
  const task = { command: line, timeoutMs: 60_000, primary: 'ms', strict: true }
  const executed = await runBenchmark({ ...stage, sandboxed: true }, task)
  expect(executed).toMatchObject({ sample: { value: 1 }, leaked: 1 })
  console.log(`survived/tried ${readEscapes(readFileSync(join(checkout, 'tried.txt'), 'utf8'))} (benchmark)`)
  expect(ground.damage()).toEqual([])
  expect(readFileSync(join(checkout, 'judge.sh'), 'utf8')).toBe('exit 0\n')
  expect(readdirSync(join(root, 'fresh'))).toEqual([])
})

it('reports its findings about this machine', async () => {
  const found = await probe()
  expect(found.kind).toBe(canIsolate ? 'namespaces' : 'none')
})

it('reports that nothing is isolated if a user has switched it off', async () => {
  const at = lab(files)
  const { ran } = await judged(at, 'echo 100 # the same\n', { isolate: 'off' })
  expect(ran.isolation).toBe('not isolated: switched off with --isolate off')
})

it('creates every namespace and passes the command as one word', () => {
  const words = isolatedWords('/f', `echo "it's"`, '/tmp/anode/checkout', '0-1')
  expect(words).toContain('--pid')
  expect(words.slice(-4)).toEqual(['/f', '/tmp/anode/checkout', '0-1', `echo "it's"`])
})

/** Returns the processors of this process, which may have been limited before the tests began. */
const processors = () => /^Cpus_allowed_list:\t(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]

function sleepers(seconds: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes(`sleep\u0000${seconds}`)
      )
    } catch {
      return false
    }
  })
}
