// `anode build --plan FILE`: starts a build and shows it until its branch is ready.
import { startBuild } from '../../../internal/service/build/run-build.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { readNumber } from '../flags.ts'
import {
  type CommandArgs,
  type CommandIo,
  listArg,
  readSandbox,
  sandboxOption,
  stringArg,
  type Verb,
} from '../verb.ts'
import { jsonOption, showBuild } from './shared.ts'

export const start: Verb = {
  name: 'build',
  summary: 'Run the tasks of a plan in parallel, and merge them into one branch on which every commit passes',
  usage: 'build [GOAL] --plan FILE [flags]',
  positionals: [{ name: 'GOAL', describe: 'Title of the build (default: the goal of the plan)', many: true }],
  options: {
    plan: { type: 'string', describe: 'Tasks with scopes and checks, as YAML', value: 'FILE' },
    workers: { type: 'number', describe: 'Tasks at once: 1 to 32 (default 3)', value: 'N' },
    until: { type: 'array', describe: 'Check after each merge and at the end', value: 'CMD' },
    into: { type: 'string', describe: 'Name of the new branch (default: anode/build/ID)', value: 'NAME' },
    setup: { type: 'string', describe: 'Command that prepares each worktree', value: 'CMD' },
    carry: { type: 'array', describe: 'Ignored path to copy into each worktree', value: 'PATH' },
    attempts: { type: 'number', describe: 'Attempts of each task: 1 to 10 (default 3)', value: 'N' },
    deadline: { type: 'string', describe: 'Stop after this time, such as 20m or 1h', value: 'D' },
    proof: {
      type: 'boolean',
      describe: 'With --no-proof: accept tasks without a check; the branch is not proven',
    },
    sandbox: { ...sandboxOption, describe: 'Sandbox for commands: required (the default), or off' },
    json: jsonOption,
  },
  examples: [
    ['anode build --plan plan.yaml', 'Run the tasks of a plan, three at once'],
    ['anode build --plan plan.yaml --workers 4 --json', 'For a program: the state of every task as JSON'],
  ],
  run: runStart,
}

function runStart(args: CommandArgs, io: CommandIo): Promise<number> {
  const deadline = stringArg(args, 'deadline')
  const request = {
    goal: listArg(args, 'GOAL').join(' ').trim(),
    plan: stringArg(args, 'plan'),
    until: listArg(args, 'until'),
    workers: readNumber(args, 'workers', 1, 32) ?? 3,
    attempts: readNumber(args, 'attempts', 1, 10) ?? 3,
    into: stringArg(args, 'into'),
    setup: stringArg(args, 'setup'),
    carry: listArg(args, 'carry'),
    noProof: args.proof === false,
    sandbox: readSandbox(args).sandbox ?? 'require',
    deadlineMs: deadline === undefined ? undefined : parseDuration(deadline),
  }
  return showBuild(args, io, (run) => startBuild(request, run))
}
