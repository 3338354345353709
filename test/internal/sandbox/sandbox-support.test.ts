// The check for sandbox support: its probes, the result that is stored for a day, and the fix for each error.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  describeFix,
  findSandboxSupport,
  type NamespaceLimits,
  probeSandbox,
  type SandboxSupport,
} from '../../../internal/sandbox/sandbox-support.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-support-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Returns a machine whose bwrap ends as `end` says, depending on its arguments. */
function machine(end: (args: readonly string[]) => { exit: number; errors: string }) {
  const bin = join(dir, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'bwrap'), '')
  chmodSync(join(bin, 'bwrap'), 0o755)
  const probed: (readonly string[])[] = []
  const probe = async (_: string, args: readonly string[]) => {
    probed.push(args)
    return end(args)
  }
  return { platform: 'linux', path: bin, probe, probed }
}

test('detects support by building a sandbox, and uses fewer arguments for an older program', async () => {
  const path = join(dir, 'bin', 'bwrap')
  const fine = machine(() => ({ exit: 0, errors: '' }))
  expect(await probeSandbox(fine)).toEqual({ kind: 'bubblewrap', program: { path, locksNamespaces: true } })
  expect(fine.probed[0]).not.toContain('--json-status-fd')
  const old = machine((args) =>
    args.includes('--disable-userns') ? { exit: 1, errors: 'unknown option' } : { exit: 0, errors: '' },
  )
  expect(await probeSandbox(old)).toEqual({ kind: 'bubblewrap', program: { path, locksNamespaces: false } })
  const refused = machine(() => ({ exit: 1, errors: 'x\nbwrap: setting up uid map: Permission denied\n' }))
  expect(await probeSandbox(refused)).toEqual({
    kind: 'none',
    because: 'refused',
    detail: 'bwrap: setting up uid map: Permission denied',
  })
  expect(await probeSandbox({ ...fine, platform: 'win32' })).toMatchObject({ because: 'unsupported' })
})

test.each([
  "bwrap: Can't find source path /tmp/x: No such file or directory",
  'bwrap: Unable to apply mount flags: remount "/newroot/tmp/x": Invalid argument',
])('a path that another program removes meanwhile is not an error of the machine: %s', async (errors) => {
  let left = 3
  const busy = machine(() => (left-- > 0 ? { exit: 1, errors } : { exit: 0, errors: '' }))
  expect(await probeSandbox(busy)).toMatchObject({ kind: 'bubblewrap', program: { locksNamespaces: true } })
  const never = machine(() => ({ exit: 1, errors }))
  expect(await probeSandbox(never)).toMatchObject({ kind: 'none', because: 'refused' })
})

test('probes once a day, and whenever a fresh result is requested', async () => {
  const asked = machine(() => ({ exit: 0, errors: '' }))
  const first = await findSandboxSupport(dir, asked)
  expect(await findSandboxSupport(dir, asked)).toEqual(first)
  expect(asked.probed).toHaveLength(1)
  await findSandboxSupport(dir, asked, true)
  expect(asked.probed).toHaveLength(2)
  writeFileSync(join(dir, 'sandbox.json'), '{"half')
  expect(await findSandboxSupport(dir, asked)).toEqual(first)
  expect(asked.probed).toHaveLength(3)
})

const none = (because: 'missing' | 'refused' | 'unsupported'): SandboxSupport => ({
  kind: 'none',
  because,
  detail: '',
})
const limits: NamespaceLimits = { apparmor: undefined, clone: undefined, max: '1000', inContainer: false }
test.each<[string, SandboxSupport, Partial<NamespaceLimits>, string | undefined]>([
  ['missing', none('missing'), {}, 'apt install bubblewrap'],
  ['AppArmor', none('refused'), { apparmor: '1' }, 'bwrap-userns-restrict'],
  ['an old Debian', none('refused'), { clone: '0' }, 'kernel.unprivileged_userns_clone=1'],
  ['none allowed', none('refused'), { max: '0' }, 'user.max_user_namespaces'],
  ['a container', none('refused'), { inContainer: true }, '--security-opt seccomp=unconfined'],
  ['anything else', none('refused'), {}, 'by hand'],
  ['another system', none('unsupported'), {}, 'Linux or macOS'],
  ['one that works', { kind: 'seatbelt' }, {}, undefined],
])('the fix for %s', (_, support, over, text) => {
  const fix = describeFix(support, { ...limits, ...over })
  if (text === undefined) expect(fix).toBeUndefined()
  else expect(fix).toContain(text)
})
