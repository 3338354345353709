// Programs that a repository's configuration names for its files are never run, from the first command on.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { files, lab, paired, plain } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const drivers = ['clean', 'smudge', 'process'] as const

it.each(
  sampleRows(
    drivers.flatMap((driver) =>
      [plain, paired].map((settings) => ({ driver, settings, gate: settings.gate ?? 'plain' })),
    ),
    3,
  ),
)('never runs a $driver filter under the gate $gate', async ({ driver, settings }) => {
  const at = lab({ ...files, '.gitattributes': '* filter=evil\n' })
  const proof = join(at.dir, '..', `${at.dir.split('/').at(-1)}.pwned`)
  at.git('config', `filter.evil.${driver}`, `sh -c 'touch ${proof}; cat'`)
  at.git('config', 'filter.evil.required', 'true')
  at.put('speed.txt', '90\n')
  const research = await at.open()
  await research.init({ ...settings, skipNullTest: true })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '80\n')
  await research.run()
  await research.log({ status: 'discard' })
  expect(at.read('speed.txt')).toBe('90\n')
  if (settings.gate === 'paired') await research.drop((await research.candidate()).path)
  expect(existsSync(proof)).toBe(false)
})
