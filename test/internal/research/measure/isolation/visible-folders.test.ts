// Folders that stay visible are real, below /tmp, and named once.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { visibleFolders } from '../../../../../internal/research/measure/isolation/visible-folders.ts'

it('takes existing folders below /tmp alone', () => {
  const dir = mkdtempSync('/tmp/anode-visible-')
  try {
    writeFileSync(join(dir, 'file'), '')
    symlinkSync(dir, join(dir, 'link'))
    const asked = ['/usr/bin', '', '/tmp', dir, join(dir, 'link'), join(dir, 'file'), join(dir, 'none')]
    expect(visibleFolders(asked)).toEqual([dir])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
