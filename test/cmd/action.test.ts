// The action for GitHub: its steps, run in a clean home directory on a shallow clone.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/sources.ts'

const action = join(root, '.github', 'actions', 'anode')
let dir: string
let clone: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-action-'))
  clone = join(dir, 'clone')
  for (const name of ['home', 'temp/anode/bin', 'origin']) mkdirSync(join(dir, name), { recursive: true })
  // the step before has installed the program there
  symlinkSync(join(root, 'dist', 'anode.cjs'), join(dir, 'temp/anode/bin/anode'))
  const origin = join(dir, 'origin')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: origin })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(origin, 'notes.md'), '# Notes\n\nThe default timeout of a request is thirty seconds.\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  git('checkout', '-qb', 'change')
  writeFileSync(join(origin, 'add.js'), 'export const add = (a, b) => a - b\n')
  git('add', '-A')
  git('commit', '-qm', 'second')
  execFileSync('git', ['clone', '-q', '--depth=1', '--no-single-branch', `file://${origin}`, clone])
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Runs the step with the variables that GitHub sets. Returns its exit code and the lines of its output file. */
function runStep(inputs: Record<string, string>) {
  const env = {
    PATH: process.env.PATH,
    HOME: join(dir, 'home'),
    RUNNER_TEMP: join(dir, 'temp'),
    GITHUB_ACTION_PATH: action,
    GITHUB_OUTPUT: join(dir, 'output'),
    GITHUB_STEP_SUMMARY: join(dir, 'summary'),
    ...inputs,
  }
  const { status, stdout, stderr } = spawnSync('bash', [join(action, 'run.sh')], {
    cwd: clone,
    encoding: 'utf8',
    env,
  })
  const read = (name: string) => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '')
  return { status, said: `${stdout}${stderr}`, output: read('output'), summary: read('summary') }
}

function writeReplies(findings: readonly object[]) {
  const file = join(dir, 'replies.jsonl')
  writeFileSync(file, `${JSON.stringify({ text: JSON.stringify({ findings }) })}\n`)
  return `script:${file}`
}

const finding = {
  severity: 'high',
  file: 'add.js',
  line: 1,
  title: 'add subtracts',
  detail: 'The function @add returns a - b.',
}

test.each([
  ['high', 1],
  ['never', 0],
])('a review that fails on %s writes SARIF and a summary, and exits with %i', (failOn, status) => {
  const model = writeReplies([finding])
  const result = runStep({ TASK: 'review', BASE: 'main', FAIL_ON: failOn, MODEL: model })
  expect([result.status, result.said]).toEqual([status, expect.any(String)])
  const report = /^report=(.*)$/m.exec(result.output)?.[1] as string
  expect(JSON.parse(readFileSync(report, 'utf8')).version).toBe('2.1.0')
  expect(result.summary).toMatch(/Anode found 1 problem in this change\.\n\n- \*\*error\*\* `add\.js:1`: /)
  expect(result.summary).not.toMatch(/@add/)
})

test('a study answers from the clone without a model, and writes a report', () => {
  const { status, output, summary } = runStep({ TASK: 'study', QUESTION: 'What is the default timeout?' })
  expect(status).toBeLessThan(4)
  expect(summary).toContain('thirty seconds')
  expect(readFileSync(/^report=(.*)$/m.exec(output)?.[1] as string, 'utf8')).toContain('thirty seconds')
})

/** Puts a `gh` into the path that records its calls. `comments` is what it answers when it lists them. */
function fakeGh(comments: string) {
  writeFileSync(
    join(dir, 'temp/anode/bin/gh'),
    `#!/bin/sh\necho "$@" >>"${dir}/gh"\ncase "$*" in *--paginate*) printf '${comments}' ;; esac\n`,
    { mode: 0o755 },
  )
}

test.each([
  ['', 'repos/o/r/issues/7/comments -F body=@'],
  ['41\\n', '-X PATCH repos/o/r/issues/comments/41 -F body=@'],
])('a comparison comments once: comments found %j', { timeout: 120_000 }, (comments, call) => {
  fakeGh(comments)
  const result = runStep({
    TASK: 'compare',
    BASE: 'main',
    COMMAND: 'cat add.js 2>/dev/null && echo METRIC ms=110 || echo METRIC ms=100',
    FLAGS: '--metric\nms\n',
    COMMENT: 'true',
    NUMBER: '7',
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_ACTIONS: 'true',
  })
  expect([result.status, result.said]).toEqual([1, expect.stringContaining('::error title=loss%3A ms::')])
  const report = readFileSync(/^report=(.*)$/m.exec(result.output)?.[1] as string, 'utf8')
  expect(result.summary).toBe(report)
  expect(report).toMatch(/^<!-- anode research compare [0-9a-f]{12} -->\n\n### ❌ loss: /)
  expect(readFileSync(join(dir, 'gh'), 'utf8')).toContain(call)
})

test.each([
  [{ TASK: 'study' }, 'a study needs the input question'],
  [{ TASK: 'review' }, 'a review needs the input base'],
  [{ TASK: 'compare' }, 'a comparison needs the input command'],
  [{ TASK: 'compare', COMMAND: 'true' }, 'a comparison needs the input base'],
  [{ TASK: 'bench' }, 'unknown task "bench"'],
])('%o is an error of the job', (inputs, message) => {
  const { status, said } = runStep(inputs)
  expect([status, said]).toEqual([2, expect.stringContaining(`::error::${message}`)])
})

test('the step gets each input through the environment, where a shell does not read it as code', () => {
  const { inputs, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'))
  const scripts = runs.steps.flatMap(({ run }: { run?: string }) => (run ? [run] : []))
  expect(scripts.filter((script: string) => script.includes('${' + '{'))).toEqual([])
  const used = JSON.stringify(runs)
  for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name}`)
})
