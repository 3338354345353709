// The command `anode prove`, which runs checks on the present files and with the original tests. It
// uses no model.
import { UserError } from '../../internal/base/errors.ts'
import { proveWorkspace, type WorkspaceProof } from '../../internal/service/proof/prove-workspace.ts'
import { formatDuration, parseDuration } from '../../internal/tui/duration.ts'
import { exitCodes } from './exit-codes.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  listArg,
  readSandbox,
  sandboxOption,
  stringArg,
  type Verb,
} from './verb.ts'

export const prove: Verb = {
  name: 'prove',
  summary:
    'Run a check on the working tree, and with the original tests; exit 0 if it proves the work, else 5',
  usage: 'prove CMD... [flags]',
  positionals: [
    { name: 'CMD', describe: 'Commands that must pass, each in quotes', required: true, many: true },
  ],
  options: {
    base: {
      type: 'string',
      describe: 'Commit of the original tests and definitions (default: HEAD)',
      value: 'REF',
    },
    allow: { type: 'array', describe: 'Files that may change; the receipt lists them', value: 'GLOB' },
    timeout: { type: 'string', describe: 'Time for each run of a command (default: 10m)', value: 'DURATION' },
    sandbox: sandboxOption,
    json: { type: 'boolean', describe: 'Print the receipt as JSON' },
    'stop-hook': {
      type: 'boolean',
      describe: 'Print the answer of a Stop hook, for Anode, Claude Code and Codex; exit 0',
    },
  },
  examples: [
    ['anode prove "npm test"', 'Check uncommitted work'],
    ['anode prove "npm test" "npm run lint" --base main', 'Check a branch against the tests of main'],
    ['anode prove "npm test" --allow "test/add.test.js"', 'Allow a change of one test'],
  ],
  run: proveVerb,
}

const defaultTimeout = '10m'

async function proveVerb(args: CommandArgs, io: CommandIo): Promise<number> {
  if (flagArg(args, 'stop-hook')) return answerStop(args, io)
  const proof = await runCheck(args, io)
  if (io.signal.aborted) return exitCodes.interrupted
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(proof, null, 2)}\n`)
  else io.stdout.write(describeProof(proof))
  return proof.state === 'proven' ? exitCodes.done : exitCodes.unverified
}

async function runCheck(args: CommandArgs, io: CommandIo): Promise<WorkspaceProof> {
  const commands = listArg(args, 'CMD')
  const empty = commands.find((command) => command.trim() === '')
  if (empty !== undefined) throw new UserError('a command is empty', { hint: 'anode prove "npm test"' })
  return proveWorkspace({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    ...readSandbox(args),
    commands,
    base: stringArg(args, 'base') ?? 'HEAD',
    allow: listArg(args, 'allow'),
    timeoutMs: parseDuration(stringArg(args, 'timeout') ?? defaultTimeout),
    note: (text) => io.stderr.write(`${text}\n`),
  })
}

/**
 * Prints the answer for a hook that runs when an agent wants to stop: an empty object if the work is proven,
 * else one that refuses the stop. If a check cannot start, the answer ends the agent's run, because the agent
 * cannot repair the check. An interrupted check prints nothing.
 */
async function answerStop(args: CommandArgs, io: CommandIo): Promise<number> {
  let answer: object
  try {
    const proof = await runCheck(args, io)
    const reason = `The work is not proven.\n${describeProof(proof)}`
    answer = proof.state === 'proven' ? {} : { decision: 'block', reason }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    answer = { continue: false, stopReason: `anode prove: ${error.message}` }
  }
  if (io.signal.aborted) return exitCodes.interrupted
  io.stdout.write(`${JSON.stringify(answer)}\n`)
  return exitCodes.done
}

/**
 * Returns a text with a line for each check, the output of the first failed check, and the accesses that the
 * sandbox denied to it. The files that were allowed to change and the verdict follow.
 */
function describeProof(proof: WorkspaceProof): string {
  const lines = proof.checks.map(({ command, exit, ms, ended: endReason, originals }) => {
    const end = endReason ?? `exit ${exit ?? 'by signal'}`
    const tests = originals === 'restored' ? '  with the original tests' : ''
    return `${exit === 0 ? '✔' : '✖'} check  ${command}  ${end}  ${formatDuration(ms)}${tests}`
  })
  const failed = proof.checks.find(({ exit }) => exit !== 0)
  if (failed && failed.output !== '') lines.push(failed.output)
  for (const text of failed?.refused ?? []) lines.push(`sandbox: ${text}`)
  if (proof.allowed.length > 0) lines.push(`allowed changes: ${proof.allowed.join(', ')}`)
  return `${[...lines, describeVerdict(proof, failed)].join('\n')}\n`
}

function describeVerdict(
  { reason, changed, checks }: WorkspaceProof,
  failed: WorkspaceProof['checks'][number] | undefined,
): string {
  const names = changed.join(', ')
  if (reason === 'failed')
    return `NOT proven: ${failed?.command} ${failed?.ended === 'timeout' ? 'did not end in time' : 'fails'}`
  const isInstalled = changed.some((name) => name.startsWith('node_modules/') && name.endsWith('/'))
  const remedy = isInstalled ? '; install the packages again, for example with npm ci' : ''
  if (reason === 'tampered') return `NOT proven: the definition of the check changed: ${names}${remedy}`
  if (reason === 'check_changed') return `NOT proven: it passes only with these changed files: ${names}`
  if (reason === 'unstable') return 'NOT proven: the check changes tracked files each time it runs'
  const commands = [...new Set(checks.map(({ command }) => command))].join(', ')
  return `proven by ${commands}`
}
