// Filter that refuses some system calls of a sandboxed command, as a program for the kernel (seccomp). No
// file is read here.

/** Numbers by which the kernel identifies the instruction sets of system calls. */
const auditArch = { x64: 0xc000003e, ia32: 0x40000003, arm64: 0xc00000b7, arm: 0x40000028 } as const

type ArchName = keyof typeof auditArch

/** Instruction sets whose system calls the kernel accepts, by processor: its main one, and a 32-bit one. */
const archesOf: Readonly<Record<string, readonly ArchName[]>> = {
  x64: ['x64', 'ia32'],
  arm64: ['arm64', 'arm'],
}

/**
 * Error numbers of refused calls: `EPERM`, or `ENOSYS` for a call that programs can replace by an older one.
 */
const errors = { EPERM: 1, ENOSYS: 38 } as const

interface DeniedCall {
  name: string
  error: keyof typeof errors
  numbers: Readonly<Record<ArchName, number>>
}

const denyCall = (
  name: string,
  [x64, ia32, arm64, arm]: readonly [number, number, number, number],
  error: DeniedCall['error'] = 'EPERM',
): DeniedCall => ({ name, error, numbers: { x64, ia32, arm64, arm } })

/**
 * Refused calls, for example those about keys of the kernel, other processes and programs in the kernel, and
 * those that would bypass this filter.
 */
const deniedCalls: readonly DeniedCall[] = [
  denyCall('add_key', [248, 286, 217, 309]),
  denyCall('request_key', [249, 287, 218, 310]),
  denyCall('keyctl', [250, 288, 219, 311]),
  denyCall('ptrace', [101, 26, 117, 26]),
  denyCall('process_vm_readv', [310, 347, 270, 376]),
  denyCall('process_vm_writev', [311, 348, 271, 377]),
  denyCall('kcmp', [312, 349, 272, 378]),
  denyCall('pidfd_getfd', [438, 438, 438, 438]),
  denyCall('bpf', [321, 357, 280, 386]),
  denyCall('perf_event_open', [298, 336, 241, 364]),
  denyCall('userfaultfd', [323, 374, 282, 388]),
  denyCall('io_uring_setup', [425, 425, 425, 425], 'ENOSYS'),
  denyCall('io_uring_enter', [426, 426, 426, 426], 'ENOSYS'),
  denyCall('io_uring_register', [427, 427, 427, 427], 'ENOSYS'),
]

/** Bit in the number of a call by which x86-64 marks calls of its variant x32, which has other numbers. */
const x32Bit = 0x40000000

const allow = 0x7fff0000
const failWith = (error: keyof typeof errors) => 0x00050000 + errors[error]

/**
 * An instruction: its code, how many instructions to skip if its condition is true, how many if it is false,
 * and its value.
 */
type FilterInstruction = readonly [code: number, yes: number, no: number, value: number]

const loadWord = (offset: number): FilterInstruction => [0x20, 0, 0, offset]
const ifEqual = (value: number, yes: number, no: number): FilterInstruction => [0x15, yes, no, value]
const ifAtLeast = (value: number, yes: number, no: number): FilterInstruction => [0x35, yes, no, value]
const returnValue = (value: number): FilterInstruction => [0x06, 0, 0, value]

/** Offsets, in the data that the filter gets, of the number of the call and of its instruction set. */
const offsets = { number: 0, arch: 4 } as const

/**
 * Returns the filter in the format of `bwrap --seccomp`; undefined for an unsupported processor. Calls of any
 * other instruction set fail with ENOSYS.
 */
export function seccompFilter(processor: string): Buffer | undefined {
  const arches = Object.hasOwn(archesOf, processor) ? archesOf[processor] : undefined
  if (!arches) return undefined
  const blocks = arches.map((arch) => ({ arch, body: blockOf(arch) }))
  const program = [
    loadWord(offsets.arch),
    ...blocks.flatMap(({ arch, body }) => [ifEqual(auditArch[arch], 0, body.length), ...body]),
    returnValue(failWith('ENOSYS')),
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [i, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8)
    bytes.writeUInt8(yes, i * 8 + 2)
    bytes.writeUInt8(no, i * 8 + 3)
    bytes.writeUInt32LE(value, i * 8 + 4)
  }
  return bytes
}

/** Returns the instructions for the calls of one instruction set. They always end with a decision. */
function blockOf(arch: ArchName): FilterInstruction[] {
  const rows = deniedCalls.flatMap(({ numbers, error }) => [
    ifEqual(numbers[arch], 0, 1),
    returnValue(failWith(error)),
  ])
  const others = arch === 'x64' ? [ifAtLeast(x32Bit, 0, 1), returnValue(failWith('ENOSYS'))] : []
  return [loadWord(offsets.number), ...others, ...rows, returnValue(allow)]
}
