// Changed packages in `node_modules`, of which no commit has the original: a proof compares them with an earlier one.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { World } from '../support/anode.ts'
import { plantPackages, proofFixtures, proofWorld } from '../support/proof-project.ts'
import { hasPython, inSite, pythonCheck, pythonWorld } from '../support/python-project.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = proofWorld()
})
afterEach(() => at.remove())

const report = 'node_modules/tiny-report/'
const cheat = () => writeFileSync(join(at.dir, report, 'report.js'), 'module.exports = () => 0\n')
const fix = () => {
  const file = join(at.dir, 'add.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('a - b', 'a + b'))
}

async function prove(...words: string[]) {
  const { code, out } = await at.anode(['prove', 'npm test', '--json', ...words])
  const { state, reason, changed, allowed } = JSON.parse(out)
  return { code, state, reason, changed, allowed }
}

it('a package that changed since an earlier proof is found, and installed again it is not', async () => {
  expect(await prove()).toMatchObject({ code: 5, reason: 'failed' })
  cheat()
  expect(await prove()).toMatchObject({ code: 5, reason: 'tampered', changed: [report] })
  const { out } = await at.anode(['prove', 'npm test'])
  expect(out).toContain('npm ci')
  rmSync(join(at.dir, 'node_modules'), { recursive: true })
  plantPackages(at.dir)
  fix()
  expect(await prove()).toMatchObject({ code: 0, changed: [] })
})

it('a package that the user allows becomes the recorded one', async () => {
  fix()
  await prove()
  cheat()
  expect(await prove('--allow', 'node_modules/**')).toMatchObject({ code: 0, allowed: [report] })
  expect(await prove()).toMatchObject({ code: 0, allowed: [], changed: [] })
})

it('packages of another lockfile are not compared', async () => {
  await prove()
  cheat()
  const file = join(at.dir, 'package-lock.json')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('1.0.0', '1.0.1'))
  await at.anode(['prove', 'true', '--base', 'HEAD'])
  const { reason, changed } = await prove()
  // the lockfile of the commit is still the recorded one
  expect([reason, changed]).toEqual(['tampered', [report]])
})

it('a package with an install script may differ from installation to installation', async () => {
  const file = join(at.dir, report, 'package.json')
  const text = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...text, scripts: { install: 'node-gyp rebuild' } }))
  fix()
  await prove()
  cpSync(join(at.dir, report, 'report.js'), join(at.dir, report, 'built.js'))
  expect(await prove()).toMatchObject({ code: 0, changed: [] })
})

it('a package that a run has changed is not the original of the next run', async () => {
  const run = async () => {
    const model = `script:${join(proofFixtures, 'cheat-dependency.jsonl')}`
    const words = ['--model', model, '--approval', 'unrestricted', '--until', 'npm test', '--json']
    const { code, out } = await at.anode(['execute', 'Fix add', ...words])
    const { reason, proof } = JSON.parse(out)
    return { code, reason, changed: proof.changed, before: proof.before }
  }
  expect(await run()).toEqual({ code: 5, reason: 'tampered', changed: [report], before: 'fail' })
  expect(await run()).toEqual({ code: 5, reason: 'tampered', changed: [report], before: 'fail' })
  expect(await prove()).toMatchObject({ reason: 'tampered', changed: [report] })
})

it.skipIf(!hasPython).each([
  ['tinytest==1.0\ntinyreport==1.0\n', { reason: 'tampered' }],
  ['tinytest>=1.0\n', { reason: undefined }],
])(
  'a Python package that changed since an earlier proof, with the requirements %j',
  async (list, expected) => {
    at.remove()
    at = pythonWorld()
    at.put('requirements.txt', list)
    git(at.dir, 'rm', '-q', 'uv.lock')
    git(at.dir, 'add', '-A')
    git(at.dir, 'commit', '-q', '-m', 'requirements')
    const proveIt = async () => JSON.parse((await at.anode(['prove', pythonCheck, '--json'])).out)
    expect(await proveIt()).toMatchObject({ state: 'unproven', reason: 'failed' })
    const report = inSite(at, 'SITE/tinyreport.py')
    at.put(report, 'def exit_code(failed):\n    return 0\n')
    const { reason, changed } = await proveIt()
    expect({ reason }).toEqual(expected)
    expect(changed).toEqual(reason === undefined ? [] : [report])
  },
)
