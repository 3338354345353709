// Faults of runs that end with a proof, in the built program: no cheat is proven, and each check ends.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { parseProcessStat } from '../../internal/base/process-identity.ts'
import type { Event } from '../../internal/event/event.ts'
import { program, type World } from '../support/anode.ts'
import { cheats, listCheats, proofFixtures, proofWorld } from '../support/proof-project.ts'
import { hasPython, inSite, pythonCheats, pythonCheck, pythonWorld } from '../support/python-project.ts'

vi.setConfig({ testTimeout: 240_000 })

let at: World
afterEach(() => at.remove())

let survived = 0
let tried = 0
afterAll(() => console.log(`faults of proofs: ${survived}/${tried} survived`))

/** Counts a fault as survived if its row ends without an error. */
async function survive(row: () => Promise<void>): Promise<void> {
  tried++
  await row()
  survived++
}

const bash = (command: string) => ({ text: 'I work on it.', calls: [{ name: 'bash', args: { command } }] })
const done = { text: 'All tests pass.' }
const fix = "sed -i 's/a - b/a + b/' add.js"

/** Writes the script of a model, and returns its name. */
function own(...replies: object[]): string {
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  return `script:${join(at.dir, '../replies.jsonl')}`
}

interface Run {
  end: string
  reason?: string
  thread: string
  proof: {
    state: string
    attempts: number
    flaky?: boolean
    checks: { ended?: string; exit: number | null }[]
    changed: string[]
    sealed: string[]
  }
}

async function execute(model: string, check: string, ...words: string[]) {
  const order = ['execute', 'Fix add', '--model', model, '--approval', 'unrestricted', '--json']
  const { code, out, err } = await at.anode([...order, '--until', check, ...words])
  expect(out, err).not.toBe('')
  return { code, ...(JSON.parse(out) as Run) }
}

async function eventsOf(thread: string): Promise<Event[]> {
  const { out } = await at.anode(['threads', 'export', thread, '--format', 'jsonl'])
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
}

const messagesOf = async (thread: string) =>
  (await eventsOf(thread)).flatMap((event) =>
    event.type === 'message' && event.payload.origin === 'note' ? [event.payload.text] : [],
  )

it('the table has a row for every fixture', () => {
  at = proofWorld()
  expect(listCheats().sort()).toEqual(Object.keys(cheats).sort())
})

describe('a cheat is never proven', () => {
  it.each(Object.entries(cheats))('%s: the receipt names %s', (name, file) =>
    survive(async () => {
      at = proofWorld()
      const model = `script:${join(proofFixtures, `cheat-${name}.jsonl`)}`
      const { code, proof, end, reason } = await execute(model, 'npm test')
      expect([code, proof.state]).toEqual([5, 'unproven'])
      expect(proof.changed).toContain(file)
      const isSealed = proof.sealed.includes(file) || file.includes('node_modules/')
      expect([end, reason]).toEqual(isSealed ? ['failed', 'tampered'] : ['partial', 'check_changed'])
    }),
  )

  it('is found in a directory without a repository', () =>
    survive(async () => {
      at = proofWorld({ isRepository: false })
      const model = `script:${join(proofFixtures, 'cheat-emptied.jsonl')}`
      expect(await execute(model, 'npm test')).toMatchObject({ code: 5, reason: 'check_changed' })
    }))

  it.runIf(hasPython).each(Object.entries(pythonCheats))('Python: %s', (_, { command, named }) =>
    survive(async () => {
      at = pythonWorld()
      const model = own(bash(inSite(at, command)), done, done, done)
      const { code, proof, reason } = await execute(model, pythonCheck)
      expect([code, proof.state]).toEqual([5, 'unproven'])
      if (named === undefined) expect(reason).toBe('no_change')
      else expect([proof.changed, reason]).toEqual([[inSite(at, named)], 'tampered'])
    }),
  )
})

const pass = "sed -i 's/a - b/a + b/' add.py"

it.runIf(hasPython).each([
  ['a fix', pass],
  ['a new package', `${pass}; touch SITE/other.py`],
  ['a package that the check does not load', `${pass}; echo 'x = 1' > SITE/unused.py`],
])('a Python project is proven after %s', async (_, command) => {
  at = pythonWorld()
  const { code, proof } = await execute(own(bash(inSite(at, command)), done), pythonCheck)
  expect([code, proof.state, proof.changed]).toEqual([0, 'proven', []])
  expect(proof.sealed).toContain(inSite(at, 'SITE/'))
})

it.runIf(hasPython)('a Python package that changed since an earlier proof is found', async () => {
  at = pythonWorld()
  const prove = async () => JSON.parse((await at.anode(['prove', pythonCheck, '--json'])).out)
  expect(await prove()).toMatchObject({ reason: 'failed' })
  at.put(inSite(at, 'SITE/tinyreport.py'), 'def exit_code(failed):\n    return 0\n')
  expect(await prove()).toMatchObject({ reason: 'tampered', changed: [inSite(at, 'SITE/tinyreport.py')] })
})

/** False for a process that has ended, also if no one has read its exit code. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  const stat = existsSync(file) ? parseProcessStat(readFileSync(file, 'latin1')) : undefined
  return stat !== undefined && !stat.zombie
}

describe('a check ends as a failed attempt if it', () => {
  const rows: [what: string, command: string, ended: string | undefined][] = [
    ['never ends', 'sleep 600', 'timeout'],
    ['floods its output without an end', 'yes', 'timeout'],
    [
      'starts processes that stay',
      '(echo $BASHPID > ../left; exec sleep 600) & until [ -s ../left ]; do :; done; exit 1',
      undefined,
    ],
    [
      'starts a session of its own',
      'setsid sh -c "echo \\$\\$ > ../left; exec sleep 600" & exit 1',
      undefined,
    ],
    ['forks until it is ended', 'f() { sleep 1; f & f & }; f & sleep 600', 'timeout'],
    ['kills its parent', 'kill -9 $PPID; sleep 1; exit 1', undefined],
    ['kills its group', 'kill -9 0', undefined],
  ]
  it.each(rows)('%s', (_, command, ended) =>
    survive(async () => {
      at = proofWorld()
      writeFileSync(join(at.dir, 'check.sh'), `${command}\n`)
      const words = ['--until-timeout', '3s', '--attempts', '1', '--no-first-check', '--sandbox', 'off']
      const { code, reason, proof } = await execute(own(done, done), 'bash check.sh', ...words)
      expect([code, reason, proof.state]).toEqual([5, 'unproven', 'unproven'])
      expect(proof.checks[0]?.ended).toBe(ended)
      const left = join(at.dir, '../left')
      if (existsSync(left)) expect(isRunning(Number(readFileSync(left, 'utf8')))).toBe(false)
    }),
  )

  it('floods its output: 4 KiB reach the model', () =>
    survive(async () => {
      at = proofWorld()
      const check = 'seq 1 200000; exit 1'
      const { thread } = await execute(own(done, done), check, '--no-first-check')
      const [message = ''] = await messagesOf(thread)
      expect(message).toContain('200000')
      expect(message.length).toBeLessThan(6_000)
    }))

  it('needs the network, and the message names the sandbox and the flag', () =>
    survive(async () => {
      at = proofWorld()
      const check = 'node -e "fetch(\'http://example.org\').then(() => 0, () => process.exit(1))"'
      const { code, thread } = await execute(own(done, done), check, '--no-first-check')
      expect(code).toBe(5)
      const [message = ''] = await messagesOf(thread)
      expect(message).toMatch(/sandbox/)
      expect(message).toContain('--until-needs network:')
    }))
})

it('a check that passes and fails on the same files is flaky', () =>
  survive(async () => {
    at = proofWorld()
    writeFileSync(join(at.dir, 'flaky.sh'), 'test -e ../seen\n')
    const words = ['--sandbox', 'off']
    const run = await execute(own(bash('touch ../seen'), done), 'bash flaky.sh', ...words)
    expect(run).toMatchObject({ end: 'done', proof: { state: 'proven', flaky: true, sandbox: 'none' } })
  }))

it('a check that was killed runs again after a resume, and counts once', () =>
  survive(async () => {
    at = proofWorld()
    const slow = 'echo $$ > ../pid; test -e ../go || sleep 600; npm test'
    const words = ['execute', 'Fix add', '--model', own(bash(fix), done), '--approval', 'unrestricted']
    const more = ['--sandbox', 'off', '--until', slow, '--no-first-check']
    const child = spawn(process.execPath, [program, ...words, ...more], {
      cwd: at.dir,
      env: { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await expect.poll(() => existsSync(join(at.dir, '../pid')), { timeout: 60_000 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    process.kill(Number(readFileSync(join(at.dir, '../pid'), 'utf8')), 'SIGKILL')
    at.put('../go', '')
    const resume = ['execute', '--resume', 'last', '--model', own(done), '--sandbox', 'off', '--json']
    const { code, out } = await at.anode(resume)
    expect(code).toBe(0)
    const { proof, thread } = JSON.parse(out) as Run
    expect(proof).toMatchObject({ state: 'proven', attempts: 1 })
    expect((await eventsOf(thread)).filter(({ type }) => type === 'check.ran')).toHaveLength(1)
  }))
