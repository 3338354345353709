// The filter of system calls: what it decides about every call, and that the kernel obeys it in a sandbox.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { seccompFilter } from '../../../internal/sandbox/seccomp-filter.ts'
import { type EscapeGround, openEscapeGround } from '../../support/escapes.ts'

let ground: EscapeGround
beforeAll(async () => {
  ground = await openEscapeGround()
})
afterAll(() => ground.close())

const request = (): SandboxRequest => ({
  ...{ kind: 'workspace', folders: [ground.work], protected: [], network: [], write: [], revealed: [] },
  ...{ opened: [], history: false },
})

/** Returns the decision of the kernel for one call, by the specification of the filter. */
function decide(filter: Buffer, arch: number, number: number): number {
  let value = 0
  for (let at = 0; ; at++) {
    const [code, yes, no] = [filter.readUInt16LE(at * 8), filter[at * 8 + 2] ?? 0, filter[at * 8 + 3] ?? 0]
    const k = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x20) value = k === 4 ? arch : number
    else if (code === 0x15) at += value === k ? yes : no
    else if (code === 0x35) at += value >= k ? yes : no
    else return k
  }
}

const allowed = 0x7fff0000
const eperm = 0x00050001
const enosys = 0x00050026

/** Written down a second time, from the tables of the kernel. */
const tables = [
  { processor: 'x64', arch: 0xc000003e, eperm: [101, 248, 249, 250, 298, 310, 311, 312, 321, 323, 438] },
  { processor: 'x64', arch: 0x40000003, eperm: [26, 286, 287, 288, 336, 347, 348, 349, 357, 374, 438] },
  { processor: 'arm64', arch: 0xc00000b7, eperm: [117, 217, 218, 219, 241, 270, 271, 272, 280, 282, 438] },
  { processor: 'arm64', arch: 0x40000028, eperm: [26, 309, 310, 311, 364, 376, 377, 378, 386, 388, 438] },
]

test.each(tables)('$processor with calls of $arch: exactly the listed calls fail', (row) => {
  const filter = seccompFilter(row.processor) as Buffer
  for (let number = 0; number < 1_000; number++) {
    const isRing = number >= 425 && number <= 427
    const expected = isRing ? enosys : row.eperm.includes(number) ? eperm : allowed
    expect([number, decide(filter, row.arch, number)]).toEqual([number, expected])
  }
})

test('calls of x32 and of any other instruction set do not exist', () => {
  const filter = seccompFilter('x64') as Buffer
  for (const number of [0, 1, 250, 512, 521, 547])
    expect(decide(filter, 0xc000003e, 0x40000000 + number)).toBe(enosys)
  for (const arch of [0, 0xc00000b7, 0x40000028, 0xc0000016, 0xffffffff])
    expect(decide(filter, arch, 1)).toBe(enosys)
  expect(seccompFilter('riscv64')).toBeUndefined()
})

/** Each call is made for real, with arguments that the kernel accepts or rejects with another error. */
const calls = [
  { name: 'add_key', x64: 248, arm64: 217, error: 1, args: '$u, $n, $n, 1, -3' },
  { name: 'request_key', x64: 249, arm64: 218, error: 1, args: '$u, $n, 0, -3' },
  { name: 'keyctl', x64: 250, arm64: 219, error: 1, args: '0, -3, 1' },
  { name: 'ptrace', x64: 101, arm64: 117, error: 1, args: '0, 0, 0, 0' },
  { name: 'process_vm_readv', x64: 310, arm64: 270, error: 1, args: '$$, 0, 0, 0, 0, 0' },
  { name: 'process_vm_writev', x64: 311, arm64: 271, error: 1, args: '$$, 0, 0, 0, 0, 0' },
  { name: 'kcmp', x64: 312, arm64: 272, error: 1, args: '$$, $$, 0, 0, 0' },
  { name: 'pidfd_getfd', x64: 438, arm64: 438, error: 1, args: '0, 0, 0' },
  { name: 'bpf', x64: 321, arm64: 280, error: 1, args: '99, 0, 0' },
  { name: 'perf_event_open', x64: 298, arm64: 241, error: 1, args: '0, 0, -1, -1, 0' },
  { name: 'userfaultfd', x64: 323, arm64: 282, error: 1, args: '4096' },
  { name: 'io_uring_setup', x64: 425, arm64: 425, error: 38, args: '0, 0' },
  { name: 'io_uring_enter', x64: 426, arm64: 426, error: 38, args: '99, 0, 0, 0, 0, 0' },
  { name: 'io_uring_register', x64: 427, arm64: 427, error: 38, args: '99, 0, 0, 0' },
  // further calls work as everywhere
  { name: 'getpid', x64: 39, arm64: 172, error: 0, args: '' },
  { name: 'membarrier', x64: 324, arm64: 283, error: 0, args: '0, 0, 0' },
]

test('every denied call fails in the sandbox, made for real', async ({ skip }) => {
  if (!ground.active) return skip('no sandbox on this machine')
  if (spawnSync('perl', ['-e', '1']).status !== 0) return skip('no perl to make system calls with')
  const processor = process.arch === 'arm64' ? 'arm64' : 'x64'
  const list = calls.map(({ name, args, ...numbers }) => {
    const words = [numbers[processor], args].filter((word) => word !== '').join(', ')
    return `$! = 0; $r = syscall(${words}); print "${name} ", ($r < 0 ? $!+0 : 0), "\\n";`
  })
  const script = ['my ($u, $n, $r) = ("user", "anode");', ...list].join('\n')
  const expected = calls.map(({ name, error }) => `${name} ${error}`).join('\n')
  const start = { file: 'perl', args: ['-e', script], cwd: ground.work, timeoutMs: 20_000 }
  const inside = await ground.runner.run({ ...start, sandbox: request() })
  expect([inside.stdout.text.trim(), inside.stderr.text]).toEqual([expected, ''])
  // the test could not fail where the machine denies the calls itself
  const without = await ground.runner.run(start)
  expect(without.stdout.text).not.toContain('io_uring_setup 38\nio_uring_enter 38\nio_uring_register 38')
  expect(without.stdout.text).toMatch(/^ptrace 0$/m)
})
