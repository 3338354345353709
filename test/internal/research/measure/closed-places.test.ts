// Rules that close files to reading, against a measured session: its build, its benchmark and its checks.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closedPaths } from '../../../../internal/policy/closed-paths.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { openResearch } from '../../../../internal/research/engine.ts'
import { openSessionSandbox } from '../../../../internal/runtime/processes/session-sandbox.ts'
import { openExperimentTools } from '../../../../internal/service/features/index.ts'
import { initExperiment } from '../../../../internal/tools/research/init_experiment.ts'
import { runExperiment } from '../../../../internal/tools/research/run_experiment.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { repoWith } from '../../../support/repo.ts'
import { env as bare } from '../../../support/research.ts'
import { scratch } from '../../../support/scratch.ts'
import { policyOf } from '../../policy/policies.ts'

async function openRunner(env: Readonly<Record<string, string | undefined>>, data: string) {
  const probe = createRunner({ dataDir: data, env })
  const sandbox = await openSessionSandbox('auto', { data, env, run: probe.run })
  const runner = createRunner({ dataDir: data, env, sandbox: sandbox.enter })
  onTestFinished(async () => {
    await runner.close()
    await probe.close()
  })
  return runner.run
}

/** Prints every text below the workspace that it can open, and what the build could. */
const look = 'cat secret/*.txt secret/deep/*.txt made/*.txt built.log 2>&1'

const files = {
  'speed.txt': '100\n',
  'secret/a.txt': 'closed-a\n',
  'secret/deep/b.txt': 'closed-b\n',
  '.auto/measure.sh': `${look}; echo "METRIC ms=$(cat speed.txt)"\n`,
}
const settings = {
  ...{
    name: 'try',
    primary_metric: 'ms',
    direction: 'lower',
    gate: 'paired',
    command: 'bash .auto/measure.sh',
  },
  // the build makes a file that a rule closes for what runs next
  build: `{ ${look}; } >built.log; mkdir -p made; echo closed-made >made/x.txt`,
  checks: `${look}; echo checked; false`,
}

test.each([
  { name: 'denied', prefix: '', action: 'deny' },
  { name: 'to be asked about, below the top of the repository', prefix: 'inner/', action: 'ask' },
] as const)(
  'hides files that are $name from build, benchmark and checks',
  { timeout: 120_000 },
  async (row) => {
    const entries = Object.entries(files).map(([path, text]) => [row.prefix + path, text])
    const dir = join(realpathSync(repoWith(Object.fromEntries(entries))), row.prefix)
    const workspace = realpathSync(dir)
    const data = scratch()
    const env = { ...bare, HOME: data, ANODE_DATA_DIR: data }
    const run = await openRunner(env, data)
    const research = openExperimentTools({ workspace, env, run, trusted: true })
    const rules = ['secret/**', 'made/*'].map((path) => ({ tool: 'read', path, action: row.action }))
    const ctx = ctxWith({ research }, { cwd: workspace, policy: policyOf(workspace, { rules }) })

    const started = await call(initExperiment, settings, ctx)
    expect(started.text).toMatch(/note: \[sandbox: secret\/a.txt is closed by a permission rule/)
    const { text, data: ran } = await call(runExperiment, {}, ctx)
    expect(ran).toMatchObject({ metric: 100, status: 'checks_failed' })
    expect(text).toContain('checked')
    expect(text + JSON.stringify(ran)).not.toMatch(/closed-|tmp.anode.checkout/)
    expect(text).toMatch(/note: \[sandbox: .* made\/x.txt is closed by a permission rule/)
  },
)

test('the null test, whose result has no notes, warns of what it did not see', {
  timeout: 120_000,
}, async () => {
  const workspace = realpathSync(repoWith(files))
  const data = scratch()
  const env = { ...bare, HOME: data, ANODE_DATA_DIR: data }
  const run = await openRunner(env, data)
  const warnings: string[] = []
  const rules = [{ tool: 'read', path: 'secret/**', action: 'deny' }] as const
  const research = await openResearch({
    ...{ cwd: workspace, data, env, run, trusted: true, signal: new AbortController().signal },
    closed: closedPaths(policyOf(workspace, { rules })),
    tell: (event) => {
      if (event.kind === 'warning' && event.code === 'closed') warnings.push(event.text)
    },
  })
  const { name, command } = settings
  await research.init({ name, metric: 'ms', direction: 'lower', gate: 'paired', command, skipNullTest: true })
  expect(await research.aa({ candidates: 1 })).toMatchObject({ candidates: 1, false_keeps: 0 })
  expect(warnings).toEqual([
    expect.stringMatching(/^\[sandbox: secret\/a.txt is closed by a permission rule/),
  ])
})
