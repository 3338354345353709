// Cleanup after a command: pipes and changed modes from the command are fixed, older ones stay.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inDirectory } from '../../../internal/base/files/pinned-directory.ts'
import { createFileMemory, listFiles } from '../../../internal/sandbox/file-record.ts'
import { mendLeftFiles } from '../../../internal/sandbox/left-files.ts'
import { rounds } from '../../support/sample.ts'
import { scratch } from '../../support/scratch.ts'

test('removes new pipes and new rights, and keeps old ones', () => {
  const dir = scratch()
  writeFileSync(join(dir, 'program'), 'x')
  chmodSync(join(dir, 'program'), 0o4755)
  execFileSync('mkfifo', [join(dir, 'pipe')])
  expect(mendLeftFiles({ folders: [dir], apart: [], since: Date.now() + 60_000 })).toEqual([])
  expect(mendLeftFiles({ folders: [dir], apart: [], since: 0 })).toHaveLength(2)
  const after = listFiles([dir], [], createFileMemory())
  expect(after.specials.size).toBe(0)
  expect(after.files.get(join(dir, 'program'))?.mode).toBe(0o755)
})

/** Exchanges two entries until it is ended: renameat2 with RENAME_EXCHANGE. */
const exchange =
  'my ($n, $a, $b) = @ARGV; $| = 1; print "up\\n"; while (getppid() != 1) { syscall($n + 0, -100, $a, -100, $b, 2) }'
const renameNumber = { x64: 316, arm64: 276 }[process.arch as string]

test('a process that replaces a directory by a link does not lead the cleanup outside', {
  timeout: 60_000,
}, async ({ skip }) => {
  if (renameNumber === undefined || !existsSync('/usr/bin/perl')) return skip('no perl here')
  const dir = realpathSync(scratch())
  const [work, outside] = [join(dir, 'work'), join(dir, 'outside')]
  for (const path of [work, outside, join(work, 'd')]) mkdirSync(path)
  symlinkSync(outside, join(work, 'l'))
  const names = Array.from({ length: 8 }, (_, i) => `f${i}`)
  for (const name of names) writeFileSync(join(outside, name), 'kept', { mode: 0o600 })
  const racer = spawn('perl', ['-e', exchange, `${renameNumber}`, join(work, 'd'), join(work, 'l')])
  try {
    await once(racer.stdout, 'data')
    const all = rounds(150, 3000)
    let cleaned = 0
    for (let round = 0; round < all; round++) {
      const real = ['d', 'l'].map((name) => join(work, name))
      // through a descriptor, so that this test itself writes nothing outside
      for (const path of real)
        inDirectory(path, ({ at }) => {
          for (const [i, name] of names.entries()) {
            if (i % 2 === 0) continue
            writeFileSync(at(name), 'x')
            chmodSync(at(name), 0o6777)
          }
          if (round % 10 === 0) spawnSync('mkfifo', [at('f0'), at('f2'), at('f4'), at('f6')])
        })
      cleaned += mendLeftFiles({ folders: [work], apart: [], since: 0 }).length
    }
    const changed = names.filter((name) => {
      const stat = statSync(join(outside, name), { throwIfNoEntry: false })
      return stat?.isFile() !== true || (stat.mode & 0o7777) !== 0o600
    })
    console.log(
      `survived/tried ${changed.length}/${all} (exchange during clean-up, ${cleaned} entries cleaned)`,
    )
    expect(changed).toEqual([])
    expect(cleaned).toBeGreaterThan(0)
  } finally {
    racer.kill('SIGKILL')
    await once(racer, 'exit')
  }
})
