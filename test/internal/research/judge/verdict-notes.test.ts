// Notes on surprising verdicts: the reason, and the options of the user.
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { lab, paired, plain } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'bench.sh': 'echo "METRIC ms=$(cat a.txt)"\n',
  'check.sh': 'true\n',
  'a.txt': '100\n',
  'b.txt': '',
}
const own: Partial<SessionSettings> = {
  command: 'bash ./bench.sh',
  checks: 'bash check.sh',
  lock: ['*.lock', 'b.txt'],
}
const whys: [string, string][] = [
  ['bench.sh', 'bench.sh is locked because the command names it'],
  ['check.sh', 'check.sh is locked because the checks names it'],
  ['b.txt', 'b.txt is locked because --lock names it'],
  ['.auto/x.sh', '.auto/x.sh is locked because it belongs to the judge'],
]

it.each(
  sampleRows(
    whys.flatMap(([file, why]) =>
      [plain, paired].map((settings) => ({ file, why, settings, gate: settings.gate ?? 'plain' })),
    ),
    3,
  ),
)('gives the reason why $file is locked under the gate $gate', async ({ file, why, settings }) => {
  const at = lab({ ...files, '.auto/x.sh': '' })
  const research = await at.open()
  await research.init({ ...settings, ...own, skipNullTest: true })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put(file, 'echo METRIC ms=1\n')
  const ran = await research.run()
  expect(ran).toMatchObject({ status: 'crash', reason: 'lock_violation', detail: file })
  expect(ran.notes.join('\n')).toContain(why)
})

it('allows changes of a named file that is also in the scope', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init({ ...plain, command: 'bash bench.sh', scope: ['bench.sh'] })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('bench.sh', 'echo METRIC ms=90\n')
  expect(await research.run()).toMatchObject({ lock: 'ok', metric: 90 })
})

it.each([undefined, 'true'])(
  'lists the options for an implausible effect, with checks: %s',
  async (checks) => {
    const at = lab({ ...files, 'a.txt': '100\n' })
    const research = await at.open()
    await research.init({
      ...paired,
      command: 'bash bench.sh',
      skipNullTest: true,
      ...(checks && { checks }),
    })
    await research.run()
    await research.log({ status: 'baseline' })
    at.put('a.txt', '1\n')
    const ran = await research.run()
    expect(ran).toMatchObject({ status: 'discard', reason: 'implausible' })
    expect(ran.notes.join('\n')).toMatch(/--accept-implausible.*--max-plausible/)
  },
)
