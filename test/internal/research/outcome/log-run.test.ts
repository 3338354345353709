// Logging a run: the known verdict is the default, and the report on files matches their final state.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { lab, paired, plain, refusal } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = { 'bench.sh': 'echo "METRIC ms=$(cat a.txt)"\n', 'a.txt': '100\n', 'notes.md': 'x\n' }
const settings = { ...paired, command: 'bash bench.sh', scope: ['a.txt'], skipNullTest: true }

it('uses the verdict if the caller sets no status', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  await research.run()
  expect((await research.log({})).line.status).toBe('baseline')
  at.put('a.txt', '90\n')
  await research.run()
  expect((await research.log({})).line.status).toBe('keep')
  at.put('a.txt', '95\n')
  await research.run()
  expect((await research.log({})).line).toMatchObject({ status: 'discard', reason: 'worse' })
})

it('requires a status from the caller for a single sample', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init({ ...plain, command: 'bash bench.sh' })
  await research.run()
  await research.log({})
  at.put('a.txt', '90\n')
  await research.run()
  expect(await refusal(research.log({}))).toBe('bad_args')
})

/** Other changes by a user, and the resulting end of the run. */
const besides: [string, Record<string, string>, string][] = [
  ['nothing', {}, 'discard'],
  ['a file outside of the scope', { 'notes.md': 'mine\n' }, 'checks_failed'],
  ['a new file outside of the scope', { 'new.txt': 'mine\n' }, 'checks_failed'],
  ['the benchmark', { 'bench.sh': 'echo METRIC ms=1\n' }, 'crash'],
  ['the benchmark and a new file', { 'bench.sh': 'echo METRIC ms=1\n', 'new.txt': 'mine\n' }, 'crash'],
]

it.each(sampleRows(besides, 2))(
  'reports correctly the restored and the unchanged files: %s',
  async (_, changed, status) => {
    const at = lab(files)
    const research = await at.open()
    await research.init(settings)
    await research.run()
    await research.log({})
    at.put('a.txt', '120\n')
    for (const [path, text] of Object.entries(changed)) at.put(path, text)
    expect((await research.run()).status).toBe(status)
    const { restored, leftAlone, notes } = await research.log({ status: 'discard' })
    expect(restored).toEqual(['a.txt'])
    expect(at.read('a.txt')).toBe('100\n')
    expect([...leftAlone].sort()).toEqual(Object.keys(changed).sort())
    for (const [path, text] of Object.entries(changed)) {
      expect(at.read(path)).toBe(text)
      expect(notes.join('\n')).toContain(path)
    }
    expect(existsSync(join(at.dir, 'a.txt'))).toBe(true)
  },
)
