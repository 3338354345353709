// The command `anode execute`, which runs one agent without a screen and prints its answer
// to standard output.
import { UserError } from '../../../internal/base/errors.ts'
import { foreignRunFlags, runOptions } from '../flags.ts'
import { untilOptions } from '../until-options.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  listArg,
  stringArg,
  toolsetOptions,
  type Verb,
} from '../verb.ts'
import { readTaskText } from './task-text.ts'

export const execute: Verb = {
  name: 'execute',
  summary: 'Run an agent on one task and print its answer; without a task it is read from standard input',
  usage: 'execute [TASK] [flags]',
  positionals: [{ name: 'TASK', describe: 'What to do', many: true }],
  options: {
    ...runOptions,
    ...toolsetOptions,
    image: { type: 'array', describe: 'Image, PDF or office file that goes with the task', value: 'FILE' },
    resume: { type: 'string', describe: 'Resume a thread: id, prefix or last', value: 'THREAD' },
    continue: { type: 'boolean', describe: 'Resume the last thread', alias: 'c' },
    fork: {
      type: 'string',
      describe: 'Resume a copy of a thread, up to event N if given',
      value: 'THREAD[@N]',
    },
    ...untilOptions,
    plan: { type: 'boolean', describe: 'Begin with a plan, and change nothing until it is approved' },
    archive: { type: 'boolean', describe: 'Archive the thread when the run is done' },
    'run-label': { type: 'string', describe: 'Name of this run in its record', value: 'TEXT' },
    stats: { type: 'boolean', describe: 'Print turns, calls, tokens, cost and time to standard error' },
    'stream-json': { type: 'boolean', describe: 'Print every event as one JSON object a line' },
    'stream-json-input': {
      type: 'boolean',
      describe: 'Read messages and approvals as JSON lines from standard input',
    },
    answers: { type: 'string', describe: 'JSON file with answers for ask_user', value: 'FILE' },
    relay: {
      type: 'string',
      describe:
        'Ask on the channel of this MCP server from your configuration, instead of the configured relay',
      value: 'SERVER',
    },
    'relay-origin': {
      type: 'string',
      describe: 'Where on the channel: an object with source, user, session, thread',
      value: 'JSON',
    },
    json: { type: 'boolean', describe: 'Print one JSON object with answer, end and costs' },
    'output-format': {
      type: 'string',
      describe: 'The same as --json or --stream-json',
      choices: ['text', 'json', 'stream-json'],
    },
    print: {
      type: 'boolean',
      describe: 'Accepted and without effect: a run always prints its answer',
      alias: 'p',
    },
    quiet: { type: 'boolean', describe: 'No progress on standard error' },
  },
  foreignFlags: {
    ...foreignRunFlags,
    mode: '--approval, or --plan',
    output: '--output-format',
    format: '--output-format',
    verbose: '--stats',
  },
  examples: [
    ['anode execute "Fix add()" --until "npm test"', 'Done only when the command passes'],
    [
      'anode execute "Which module decides whether a call needs approval?"',
      'A question, answered with path:line',
    ],
    ['git diff | anode -x "Write a commit message for this" --profile quick', 'With more on standard input'],
  ],
  run: runExecute,
}

async function runExecute(parsed: CommandArgs, io: CommandIo): Promise<number> {
  const args = settleFlags(parsed)
  const text = await readTaskText(args, io)
  const pictures = listArg(args, 'image')
  const images =
    pictures.length > 0
      ? await (await import('./task-images.ts')).readImages(pictures, io.cwd, io.signal)
      : []
  const { startRun } = await import('./start-run.ts')
  if (text === undefined || images.length === 0) return startRun(args, io, text)
  return startRun(args, io, [{ type: 'text', text }, ...images])
}

/**
 * Returns the arguments with equivalent flags for output and resuming replaced by one form. Throws UserError
 * if two flags contradict each other, or if a required flag is missing.
 */
function settleFlags(args: CommandArgs): CommandArgs {
  const format = stringArg(args, 'output-format')
  const isStream = flagArg(args, 'stream-json') || format === 'stream-json'
  const isJson = flagArg(args, 'json') || format === 'json'
  if (isStream && isJson)
    throw new UserError('--json and --stream-json exclude each other', {
      hint: 'the last event of --stream-json holds the same',
    })
  if ((isStream || isJson) && format === 'text')
    throw new UserError('--output-format text and JSON exclude each other', { hint: 'give one of them' })
  if (flagArg(args, 'stream-json-input') && !isStream)
    throw new UserError('--stream-json-input needs --stream-json', {
      hint: 'a program that sends JSON lines has to read the questions that they answer',
    })
  if (!flagArg(args, 'continue')) return { ...args, json: isJson, 'stream-json': isStream }
  if (stringArg(args, 'resume') !== undefined || stringArg(args, 'fork') !== undefined)
    throw new UserError('--continue and --resume or --fork exclude each other', { hint: 'give one of them' })
  return { ...args, json: isJson, 'stream-json': isStream, resume: 'last' }
}
