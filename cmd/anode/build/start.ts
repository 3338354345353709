// The command `anode build`, which starts a build for a goal or a plan file, and shows it until
// the build ends.
import { UserError } from '../../../internal/base/errors.ts'
import { formatPlanFile } from '../../../internal/build/report/plan-text.ts'
import type { BuildRequest } from '../../../internal/service/build/build-request.ts'
import { readPlanOf, startBuild } from '../../../internal/service/build/run-build.ts'
import { exitCodes } from '../exit-codes.ts'
import { readApproval, readNumber, runOptions } from '../flags.ts'
import { writeText } from '../io/streams.ts'
import { refuseMistypedVerb } from '../mistyped-verb.ts'
import { pageOption } from '../serve/announced-page.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  flagArg,
  listArg,
  readSandbox,
  sandboxOption,
  stringArg,
  type Verb,
} from '../verb.ts'
import { showBuild } from './lead.ts'
import { jsonOption, limitOptions, readLimits } from './shared.ts'
import { buildVerbNames } from './verb-names.ts'

const { model, approval } = runOptions as Record<'model' | 'approval', CommandOption>

export const start: Verb = {
  name: 'build',
  summary:
    'Split a goal among parallel agents, and merge their work into one branch on which every commit passes',
  usage: 'build [GOAL] [--plan FILE] [flags]',
  positionals: [{ name: 'GOAL', describe: 'What to reach (with --plan: title of the build)', many: true }],
  options: {
    plan: { type: 'string', describe: 'Tasks with scopes and checks, as YAML', value: 'FILE' },
    'plan-only': { type: 'boolean', describe: 'Print the plan as YAML, and start nothing' },
    yes: { type: 'boolean', describe: 'Start the plan of a goal without a question', alias: 'y' },
    workers: { type: 'number', describe: 'Tasks at once: 1 to 32 (default 3)', value: 'N' },
    until: { type: 'array', describe: 'Check after each merge and at the end', value: 'CMD' },
    into: { type: 'string', describe: 'Name of the new branch (default: anode/build/ID)', value: 'NAME' },
    setup: { type: 'string', describe: 'Command that prepares each worktree', value: 'CMD' },
    carry: { type: 'array', describe: 'Ignored path to copy into each worktree', value: 'PATH' },
    model,
    'planner-model': { type: 'string', describe: 'Model of the planner (default: --model)', value: 'MODEL' },
    approval,
    'budget-usd': limitOptions['budget-usd'],
    'budget-tokens': limitOptions['budget-tokens'],
    worker: {
      type: 'array',
      describe: 'agent, or acp:NAME for the agent of another program; in turn',
      value: 'SPEC',
    },
    'worker-minutes': { type: 'number', describe: 'Minutes for one attempt of acp:NAME', value: 'N' },
    attempts: { ...limitOptions.attempts, describe: 'Attempts of each task: 1 to 10 (default 3)' },
    deadline: limitOptions.deadline,
    proof: {
      type: 'boolean',
      describe: 'With --no-proof: accept tasks without a check; the branch is not proven',
    },
    sandbox: { ...sandboxOption, describe: 'Sandbox for commands: required (the default), or off' },
    engine: {
      type: 'string',
      describe: 'embedded: workers on this machine (the default, and the only one)',
      value: 'URL',
    },
    serve: pageOption,
    json: jsonOption,
  },
  examples: [
    ['anode build "Replace moment by date-fns" --until "npm test"', 'Plan it, ask, and build it'],
    ['anode build --plan plan.yaml', 'Run the tasks of a plan, three at once'],
    ['anode build --plan plan.yaml --workers 4 --json', 'For a program: the state of every task as JSON'],
  ],
  run: runStart,
}

async function runStart(args: CommandArgs, io: CommandIo): Promise<number> {
  if ((stringArg(args, 'engine') ?? 'embedded') !== 'embedded')
    throw new UserError('--engine: a build has no workers on other machines, which do not have its commits', {
      hint: 'leave out --engine: the workers of a build run on this machine',
    })
  const goal = listArg(args, 'GOAL').join(' ').trim()
  if (args['--'] === undefined && stringArg(args, 'plan') === undefined)
    refuseMistypedVerb(goal, { group: 'anode build', verbs: buildVerbNames, kind: 'goal' })
  const { attempts = 3, budget, deadlineMs } = readLimits(args)
  const request = {
    goal,
    plan: stringArg(args, 'plan'),
    until: listArg(args, 'until'),
    workers: readNumber(args, 'workers', 1, 32) ?? 3,
    attempts,
    into: stringArg(args, 'into'),
    setup: stringArg(args, 'setup'),
    carry: listArg(args, 'carry'),
    noProof: args.proof === false,
    sandbox: readSandbox(args).sandbox ?? 'require',
    programs: { turns: listArg(args, 'worker'), minutes: readNumber(args, 'worker-minutes', 1) },
    model: stringArg(args, 'model'),
    plannerModel: stringArg(args, 'planner-model'),
    approval: readApproval(stringArg(args, 'approval') ?? 'auto'),
    budget,
    deadlineMs,
  }
  if (request.plan !== undefined && flagArg(args, 'plan-only')) return printPlan(request, io)
  return showBuild(args, io, (run) => startBuild(request, run))
}

/** Prints the plan in the file, after the plan was checked and completed with defaults. */
async function printPlan(request: BuildRequest, io: CommandIo): Promise<number> {
  const read = await readPlanOf(request, { ...io, note: () => undefined, show: () => undefined })
  if (read) await writeText(io.stdout, formatPlanFile(read.plan, read.cost))
  return exitCodes.done
}
