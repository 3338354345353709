// A held directory stays the same directory.
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDirectory } from '../../../../internal/base/files/open-directory.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

// only Linux names open directories in /proc
it.runIf(process.platform === 'linux')(
  'an open directory stays the same after its name was replaced by a link',
  async () => {
    const dir = scratchWith({ 'outside/keep': 'safe' })
    mkdirSync(join(dir, 'in'))
    const held = await openDirectory(join(dir, 'in'))
    renameSync(join(dir, 'in'), join(dir, 'moved'))
    symlinkSync('outside', join(dir, 'in'))
    writeFileSync(held.at('keep'), 'written')
    await held.sync()
    await held.close()
    expect(readFileSync(join(dir, 'moved', 'keep'), 'utf8')).toBe('written')
    expect(readFileSync(join(dir, 'outside', 'keep'), 'utf8')).toBe('safe')
  },
)

it('rejects links at the end of the path and on the way', async () => {
  const dir = scratch()
  mkdirSync(join(dir, 'real', 'sub'), { recursive: true })
  symlinkSync('real', join(dir, 'link'))
  await expect(openDirectory(join(dir, 'link'))).rejects.toThrow()
  await expect(openDirectory(join(dir, 'link', 'sub'))).rejects.toThrow(/link/)
  const held = await openDirectory(join(dir, 'real', 'sub'))
  expect(held.dir).toBe(join(dir, 'real', 'sub'))
  await held.close()
})
