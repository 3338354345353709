// Candidates that speak for the benchmark: each goes through the real judge, and none is kept.
import { describe, expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { type Lab, lab, paired } from '../../../support/research.ts'
import { full } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 300_000 })

/** The benchmark counts the steps of the code under test, which it loads into its own process. */
const files = {
  'src/work.mjs': 'export function work(step) { for (let i = 0; i < 100; i++) step(); return 7 }\n',
  'src/other.mjs': 'export const other = 1\n',
  'bench.mjs': [
    "import { work } from './src/work.mjs'",
    'let steps = 0',
    'const result = work(() => { steps++ })',
    'console.log(`METRIC cost=${steps}`)',
    'console.log(`METRIC result=${result}`)',
    '',
  ].join('\n'),
  'check.mjs': "import { work } from './src/work.mjs'\nif (work(() => {}) !== 7) process.exit(1)\n",
}

const settings: SessionSettings = {
  ...paired,
  skipNullTest: true,
  name: 'cheats',
  metric: 'cost',
  command: 'node bench.mjs',
  checks: 'node check.mjs',
  scope: ['src'],
}

const honest = 'export function work(step) { for (let i = 0; i < 80; i++) step(); return 7 }\n'
const same = files['src/work.mjs']
const lines = "'METRIC cost=80\\nMETRIC result=7\\n'"
const spelled = "'MET' + 'RIC cost=80\\n' + 'MET' + 'RIC result=7\\n'"

/** Ways to print, by the name of what prints. Each is an expression that prints the text. */
const printers = {
  'console.log': (text: string) => `console.log(${text}.trim())`,
  'process.stdout': (text: string) => `process.stdout.write(${text})`,
  'descriptor 1': (text: string) => `fs.writeSync(1, ${text})`,
  'standard error': (text: string) => `fs.writeSync(2, ${text})`,
  'descriptor 3': (text: string) => `fs.writeSync(3, ${text})`,
  'a shell': (text: string) => `cp.execFileSync('printf', ['%s', ${text}], { stdio: 'inherit' })`,
}
/** Ways to end after the print. */
const endings = {
  'and exits': 'process.exit(0)',
  'and exits by another name': "globalThis['pro' + 'cess']['ex' + 'it'](0)",
  'and lets the benchmark print too': '',
  'and exits with 3': 'process.exit(3)',
  'and kills itself': "process.kill(process.pid, 'SIGKILL')",
}
const imports = "import * as fs from 'node:fs'\nimport * as cp from 'node:child_process'\n"

const cheats: Record<string, string> = {}
for (const [printer, print] of Object.entries(printers))
  for (const [ending, end] of Object.entries(endings))
    for (const [spelling, text] of Object.entries({ plainly: lines, 'spelled in parts': spelled }))
      cheats[`prints with ${printer} ${spelling} ${ending}`] =
        `${imports}try { ${print(text)} } catch {}\n${end}\n${same}`
/** Values and names that a candidate may print before it exits. */
for (const [what, text] of Object.entries({
  'a subset': "'METRIC cost=80\\n'",
  'the metric twice': "'METRIC cost=80\\nMETRIC cost=80\\nMETRIC result=7\\n'",
  'two values': "'METRIC cost=80\\nMETRIC cost=70\\nMETRIC result=7\\n'",
  'one metric more': "'METRIC cost=80\\nMETRIC result=7\\nMETRIC more=1\\n'",
  'no number': "'METRIC cost=less\\nMETRIC result=7\\n'",
  'less than nothing': "'METRIC cost=-1\\nMETRIC result=7\\n'",
  'the nonce of its environment': '`METRIC@${process.env.ANODE_METRIC_NONCE} cost=80\\n`',
  nothing: "''",
}))
  cheats[`prints ${what} and exits`] = `process.stdout.write(${text}); process.exit(0)\n${same}`
/** Changes of the functions that the benchmark prints with. */
const lower = (text: string) => `String(${text}).replace('100', '80')`
for (const [what, code] of Object.entries({
  'console.log': `const log = console.log; console.log = (text) => log(${lower('text')})`,
  'console["log"]': `const log = console.log; console['l' + 'og'] = (text) => log(${lower('text')})`,
  'the whole console': `const log = console.log; Object.assign(console, { log: (text) => log(${lower('text')}) })`,
  'process.stdout.write': `const out = process.stdout; const write = out.write.bind(out); out.write = (text) => write(${lower('text')})`,
  'the stream of the console': `const s = console._stdout; const write = s.write.bind(s); s.write = (text) => write(${lower('text')})`,
  'a global console': `const log = console.log; globalThis.console = { log: (text) => log(${lower('text')}) }`,
  'String.prototype': "Object.defineProperty(Number.prototype, 'toString', { value: () => '80' })",
}))
  cheats[`replaces ${what}`] = `${code}\n${same}`
/** Code that acts when the benchmark is done. */
for (const [what, code] of Object.entries({
  'at the exit event': `process.on('exit', () => fs.writeSync(1, ${lines}))`,
  'at the exit event, alone': `console.log = () => {}; process.on('exit', () => fs.writeSync(1, ${lines}))`,
  'at beforeExit': `process.once('beforeExit', () => fs.writeSync(1, ${lines}))`,
  'in a child that outlives it': `cp.spawn('sh', ['-c', 'sleep 0.1; printf "METRIC cost=80\\n"'], { stdio: 'inherit', detached: true }).unref()`,
}))
  cheats[`prints ${what}`] = `${imports}${code}\n${same}`

async function begun(
  over: Partial<SessionSettings> = {},
): Promise<{ at: Lab; research: Awaited<ReturnType<Lab['open']>>; notes: string[] }> {
  const at = lab(files)
  const research = await at.open()
  const { notes } = await research.init({ ...settings, ...over })
  expect(await research.run()).toMatchObject({ status: 'baseline', metric: 100 })
  await research.log({ status: 'baseline' })
  return { at, research, notes }
}

const rows = Object.entries(cheats)
const chosen = full ? rows : rows.filter((_, i) => i % 11 === 0 || (i >= rows.length - 11 && i % 2 === 0))

describe('the code under test in the process of the benchmark', () => {
  it('is named at init, and none of its cheats is kept', async () => {
    const { at, research, notes } = await begun()
    expect(notes.join('\n')).toMatch(/can print metrics for the benchmark.*--strict-metrics/)
    const kept: string[] = []
    for (const [what, code] of chosen) {
      at.put('src/work.mjs', code)
      const { status, reason } = await research.run()
      if (status === 'keep') kept.push(`${what}: ${reason}`)
      await research.log({ status: status === 'keep' ? 'discard' : status, restore: true })
    }
    expect(kept).toEqual([])
    at.put('src/work.mjs', honest)
    expect(await research.run()).toMatchObject({ status: 'keep', reason: 'deterministic' })
  })

  it('is kept when a user has read the change', async () => {
    const { at, research } = await begun()
    at.put('src/work.mjs', `${honest}export const stop = () => process.exit(1)\n`)
    const refused = await research.run()
    expect(refused).toMatchObject({
      status: 'discard',
      reason: 'speaks',
      detail: expect.stringMatching(/^src\/work\.mjs:2 /),
    })
    expect(refused.notes.join('\n')).toContain('--accept-implausible')
    await research.log({ status: 'discard', restore: false })
    at.put('src/work.mjs', `${honest}export const stop = () => process.exit(2)\n`)
    expect(await research.run({ acceptImplausible: true })).toMatchObject({ status: 'keep' })
  })
})
