// The script of process 1 is one that bash reads, and it ends before the command when a mount fails.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  isolatedWords,
  prepareIsolation,
} from '../../../../../internal/research/measure/isolation/isolation.ts'
import { isolationScript } from '../../../../../internal/research/measure/isolation/isolation-script.ts'
import { run } from '../../../../support/run.ts'
import { scratch } from '../../../../support/scratch.ts'

const env = { PATH: process.env.PATH ?? '' }

it('is read by bash without a complaint', async () => {
  const { exit, stderr } = await run({ file: 'bash', args: ['-n', '-c', isolationScript], cwd: '/', env })
  expect([exit, stderr.text]).toEqual([0, ''])
})

it('runs nothing where it cannot mount', async () => {
  const dir = scratch()
  // a folder that is not there cannot be mounted
  const args = ['-c', isolationScript, 'anode', `${dir}/none`, dir, '', 'echo ran']
  const { exit, stdout } = await run({
    file: 'bash',
    args,
    cwd: dir,
    env: { ...env, PATH: `${dir}:${env.PATH}` },
  })
  expect(exit).not.toBe(0)
  expect(stdout.text).toBe('')
})

const canIsolate =
  (await run({ file: 'unshare', args: ['-Urm', 'true'], cwd: '/', env }).catch(() => undefined))?.exit === 0

it.skipIf(!canIsolate)('leaves nothing writable but what an execution has for itself', async () => {
  // signs that a table of mounts writes in another way
  const dir = join(scratch(), ' a #\\b\tä')
  const [checkout, keep] = [join(dir, 'checkout'), join(dir, 'keep')]
  for (const one of [checkout, keep]) mkdirSync(one, { recursive: true })
  const cwd = '/tmp/anode/checkout'
  await prepareIsolation(join(dir, '1'), { checkout, cwd, keep: [keep], cover: [], mask: [] })
  // the topmost mount of a place is what a path leads to
  const topmost = `awk '{ now[$5] = $6 } END { for (at in now) if (now[at] ~ /^rw/) print at }' /proc/self/mountinfo`
  const [file = '', ...args] = isolatedWords(join(dir, '1'), `${topmost}; touch here`, cwd, '')
  const { exit, stdout, stderr } = await run({ file, args, cwd: dir, env })
  expect([exit, stderr.text]).toEqual([0, ''])
  const own = (place: string) => /^(\/tmp|\/var\/tmp|\/dev\/shm|\/proc)$/.test(place)
  const writable = stdout.text.trim().split('\n').sort()
  expect(writable.filter(own)).toEqual(expect.arrayContaining(['/proc', '/tmp']))
  // the checkout, and the execution's folder where it lay before
  expect(writable.filter((place) => !own(place) && !/\/1\/own(\/anode\/checkout)?$/.test(place))).toEqual([
    cwd,
  ])
})

/** A `mount` that loses a place between the list of mounts and the seal, as where another program unmounts it. */
const losingMount = `#!/bin/sh
PATH=\${PATH#*:}
for table; do :; done
case $table in
*/own/sealed) ;;
*/sealed) umount "$LOST" ;;
*/inner) mount -t tmpfs none "$LOST" ;;
esac
exec mount "$@"
`

it.skipIf(!canIsolate)('seals what is left where a place vanishes meanwhile', async () => {
  const dir = scratch()
  const [bin, checkout, lost] = [join(dir, 'bin'), join(dir, 'checkout'), join(dir, 'lost')]
  for (const one of [bin, checkout, lost]) mkdirSync(one)
  writeFileSync(join(bin, 'mount'), losingMount, { mode: 0o755 })
  const cwd = '/tmp/anode/checkout'
  await prepareIsolation(join(dir, '1'), { checkout, cwd, keep: [bin], cover: [], mask: [] })
  const left =
    '[ ! -e /tmp/sealed ] || echo left; for place in / /usr /var /home; do touch "$place/x" 2>/dev/null && echo "$place"; done'
  const [file = '', ...args] = isolatedWords(join(dir, '1'), `${left}; echo sealed`, cwd, '')
  const own = { ...env, PATH: `${bin}:${env.PATH}`, LOST: lost }
  const { exit, stdout, stderr } = await run({ file, args, cwd: dir, env: own })
  expect([exit, stderr.text, stdout.text.split('\n')]).toEqual([0, '', ['sealed', '']])
})
