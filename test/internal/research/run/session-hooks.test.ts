// Hooks are those that were there when the session began, with the words they had then.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { files, type Lab, lab, paired, plain } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const names = [
  '.auto/hooks/before.sh',
  '.auto/hooks/after.sh',
  'autoresearch.hooks/before.sh',
  'autoresearch.hooks/after.sh',
]
const cases = names.flatMap((name) =>
  [plain, paired].map((settings) => ({ name, settings, gate: settings.gate ?? 'plain' })),
)

async function oneRound(at: Lab, settings: typeof plain, between: () => void) {
  const research = await at.open()
  await research.init({ ...settings, skipNullTest: true })
  between()
  const ran = await research.run()
  const logged = await research.log({ status: ran.status })
  return [...ran.notes, ...logged.notes].join('\n')
}

it.each(sampleRows(cases, 3))(
  'never runs $name that came after init, gate $gate',
  async ({ name, settings }) => {
    const at = lab()
    const proof = join(at.dir, '.git', 'pwned')
    await oneRound(at, settings, () => at.put(name, `touch ${proof}\n`))
    expect(existsSync(proof)).toBe(false)
  },
)

it.each(sampleRows(cases, 3))(
  'never runs $name with other words than at init, gate $gate',
  async ({ name, settings }) => {
    const at = lab({ ...files, [name]: 'echo as sealed\n' })
    const proof = join(at.dir, '.git', 'pwned')
    await oneRound(at, settings, () => at.put(name, `touch ${proof}\n`))
    expect(existsSync(proof)).toBe(false)
  },
)

it.each(sampleRows(cases, 3))(
  'runs $name as it was sealed, in the workspace, gate $gate',
  async ({ name, settings }) => {
    const at = lab({ ...files, [name]: 'echo "as sealed in $(pwd)"\n' })
    expect(await oneRound(at, settings, () => undefined)).toContain(`as sealed in ${at.dir}`)
  },
)
