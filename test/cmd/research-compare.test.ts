// `anode research compare` as CI runs it: the built program over two commits, with its exit codes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { plantBenchmark } from '../support/proof-project.ts'
import { git } from '../support/repo.ts'

const open: World[] = []
afterEach(() => {
  for (const at of open.splice(0)) at.remove()
})

const timeout = 240_000

/** `work.js` measures `sum.js`, which a commit changed in a comment and the next one made slower. */
function repository(): World {
  const at = world()
  open.push(at)
  plantBenchmark(at.dir)
  return at
}

const read = (at: World, name: string) => readFileSync(join(at.dir, name), 'utf8')

const compare = (at: World, ...words: string[]) => at.anode(['research', 'compare', ...words])

describe('over commits of one repository', () => {
  it('fails with code 1 for a loss, and stores the comparison', { timeout }, async () => {
    const at = repository()
    const found = await compare(at, 'HEAD~1', 'HEAD', '--cmd', 'node work.js', '--json')
    expect(found.code, found.err).toBe(1)
    const record = JSON.parse(found.out)
    expect(record).toMatchObject({ verdict: 'loss', sealed: ['work.js'] })
    const [cpu] = record.metrics
    expect(cpu).toMatchObject({ name: 'cpu_ms', verdict: 'loss', decides: true })
    // a counter in whole milliseconds would add more noise than a command of 50 ms has
    expect([cpu.base, cpu.head].every(Number.isInteger)).toBe(false)
    const shown = await compare(at, 'show', record.id)
    expect(shown.out).toMatch(/^loss: HEAD \([0-9a-f]{10}\) against HEAD~1/)
    expect(shown.out).toMatch(/^control +cpu_ms +base against itself/m)
    expect((await compare(at, 'list')).out).toContain(`${record.id}  `)
    expect((await compare(at, 'show', '00000000')).err).toContain('comparison "00000000" not found')
  })

  it('measures a command that names devices and files of the kernel', { timeout }, async () => {
    const at = repository()
    const cmd = 'cat /proc/version /sys/kernel/ostype </dev/null >/dev/null 2>/dev/null; echo METRIC n=5'
    const found = await compare(at, 'HEAD~1', 'HEAD', '--cmd', cmd, '--metric', 'n', '--json')
    expect(found.code, found.err).toBe(0)
    expect(JSON.parse(found.out).metrics[0]).toMatchObject({ name: 'n', verdict: 'same' })
  })

  it('passes for a changed comment, without a false alarm', { timeout }, async () => {
    const at = repository()
    const words = ['HEAD~2', 'HEAD~1', '--cmd', 'node work.js', '--fail-on', 'loss,gain']
    const found = await compare(at, ...words)
    expect(found.code, found.err).toBe(0)
    expect(found.out).toMatch(/^(same|undecided): HEAD~1/)
  })
})

it('measures the memory of the largest process of the command', { timeout }, async () => {
  const at = repository()
  // the process that needs the memory is the child process of another one
  at.put('sum.js', "require('node:child_process').execFileSync('node', ['-e', 'Buffer.alloc(200e6, 1)'])\n")
  const words = ['--cmd', 'node work.js', '--metric', 'max_rss_kb', '--budget', '4s', '--json']
  const record = JSON.parse((await compare(at, 'HEAD', ...words)).out)
  const [memory] = record.metrics
  expect(memory).toMatchObject({ name: 'max_rss_kb', decides: true })
  expect(memory.base).toBeGreaterThan(20_000)
  expect(memory.head).toBeGreaterThan(memory.base + 150_000)
})

describe('files and annotations for CI', () => {
  const speed = () => {
    const at = world()
    open.push(at)
    at.put('speed.txt', '100')
    at.put('bench.sh', 'echo METRIC ms=$(cat speed.txt)\n')
    git(at.dir, 'init', '-q', '-b', 'main')
    git(at.dir, 'add', '-A')
    git(at.dir, 'commit', '-q', '-m', 'first')
    at.put('speed.txt', '110')
    return at
  }
  const words = ['--cmd', 'bash bench.sh', '--metric', 'ms', '--json']

  it('are the same for a comparison and for the stored one', { timeout }, async () => {
    const at = speed()
    const files = (name: string) => ['--markdown', `${name}.md`, '--svg', `${name}.svg`]
    const found = await compare(at, ...words, ...files('first'))
    expect(found.code, found.err).toBe(1)
    const { id } = JSON.parse(found.out)
    expect(read(at, 'first.md')).toMatch(/^<!-- anode research compare [0-9a-f]{12} -->\n\n### ❌ loss: /)
    expect(read(at, 'first.svg')).toMatch(/^<svg xmlns=/)
    expect((await compare(at, 'show', id, ...files('again'))).code).toBe(0)
    for (const end of ['md', 'svg']) expect(read(at, `again.${end}`)).toBe(read(at, `first.${end}`))
  })

  it.each([
    ['true', ['--fail-on', 'loss'], /^::error title=loss%3A ms::/m],
    ['true', ['--fail-on', 'none'], /^::warning title=loss%3A ms::/m],
    ['', ['--fail-on', 'loss'], /^(?!.*::(error|warning|notice) )/s],
  ] as const)('with GITHUB_ACTIONS=%j and %j', { timeout }, async (actions, flags, expected) => {
    const found = await speed().anode(['research', 'compare', ...words, ...flags], {
      env: { GITHUB_ACTIONS: actions },
    })
    expect(found.err).toMatch(expected)
    // annotations must not mix with the JSON
    expect(JSON.parse(found.out).verdict).toBe('loss')
  })

  it('exit with code 2 for a file that cannot be written', { timeout }, async () => {
    const found = await compare(speed(), ...words, '--markdown', 'none/here.md')
    expect(found.err).toContain('--markdown "none/here.md" cannot be written')
    expect(found.code).toBe(2)
  })
})

describe('of metrics that are printed', () => {
  it.each([
    ['gain', '90', [], 0],
    ['gain', '90', ['--fail-on', 'loss,gain'], 10],
    ['loss', '110', ['--fail-on', 'none'], 0],
    ['gain', '110', ['--metric', 'ms:higher', '--fail-on', 'gain'], 10],
    ['undecided', '110', ['--budget', '1ms', '--fail-on', 'undecided'], 3],
  ] as const)('is a %s at %s with %j: code %i', { timeout }, async (verdict, value, flags, code) => {
    const at = world()
    open.push(at)
    at.put('speed.txt', '100')
    at.put('bench.sh', 'echo METRIC ms=$(cat speed.txt)\n')
    git(at.dir, 'init', '-q', '-b', 'main')
    git(at.dir, 'add', '-A')
    git(at.dir, 'commit', '-q', '-m', 'first')
    at.put('speed.txt', value)
    const metric = flags.some((flag) => flag === '--metric') ? [] : ['--metric', 'ms']
    const found = await compare(at, '--cmd', 'bash bench.sh', ...metric, ...flags)
    expect(found.out, found.err).toMatch(new RegExp(`^${verdict}: the working tree against`))
    expect(found.code).toBe(code)
  })
})

describe('of what cannot be measured', () => {
  it.each([
    ['no command', [], '--cmd is missing'],
    ['an unknown outcome', ['--cmd', 'true', '--fail-on', 'worse'], '--fail-on cannot be "worse"'],
    ['a share beyond its range', ['--cmd', 'true', '--margin', '200%'], '--margin cannot be "200%"'],
    ['an odd metric', ['--cmd', 'true', '--metric', 'a b'], '--metric cannot be "a b"'],
    ['results outside', ['--cmd', 'true', '--results', '../x'], '--results "../x" is outside'],
    ['an unknown base', ['nowhere', '--cmd', 'true'], 'BASE "nowhere" is not a commit'],
    ['a side that crashes', ['HEAD~1', '--cmd', 'echo boom >&2; exit 3'], 'base cannot be measured: exit 3'],
  ] as const)('exits with code 2: %s', { timeout }, async (_, flags, message) => {
    const found = await compare(repository(), ...flags)
    expect(found.err).toContain(message)
    expect(found.code).toBe(2)
  })

  it('prints the failure as JSON with the side and its last lines', { timeout }, async () => {
    const found = await compare(repository(), 'HEAD~1', '--cmd', 'echo boom; exit 3', '--json')
    expect(found.code).toBe(2)
    expect(JSON.parse(found.out)).toMatchObject({
      ok: false,
      error: { code: 'run_failed', detail: { side: 'base', reason: 'exit 3', lines: 'boom' } },
    })
  })
})
