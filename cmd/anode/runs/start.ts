// The command `anode runs start`, which starts a run in another process and does not wait for its end.
import { realpathSync } from 'node:fs'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { startRunProcess } from '../../../internal/service/runs/run-access.ts'
import { startWorktreeRun } from '../../../internal/service/runs/worktree/worktree-runs.ts'
import { noTaskError, readTaskText } from '../execute/task-text.ts'
import { foreignRunFlags, readAgentChoice, readApproval, runOptions } from '../flags.ts'
import { readUntilCommands } from '../until-flags.ts'
import { untilOption } from '../until-options.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, toolsetOptions, type Verb } from '../verb.ts'
import { runPlace } from './run-place.ts'

const { profile, model, approval, 'add-dir': addDir } = runOptions

export const start = {
  name: 'runs start',
  summary: 'Start a run that continues without this terminal; calls that ask wait for your answer',
  usage: 'runs start [TASK] [flags]',
  positionals: [{ name: 'TASK', describe: 'What to do', many: true }],
  options: {
    profile,
    model,
    ...toolsetOptions,
    'add-dir': addDir,
    until: untilOption,
    approval: { ...approval, default: 'auto' },
    worktree: {
      type: 'boolean',
      describe: 'Run in a new git worktree and branch; `anode runs merge` merges the work',
    },
    json: { type: 'boolean', describe: 'Print one JSON object with the id of its thread' },
  },
  foreignFlags: {
    ...foreignRunFlags,
    'max-turns': 'a profile with maxTurns, or anode execute --max-turns',
    'run-label': 'anode execute --run-label; a run here has the words of its task as title',
    daemon: 'no flag: every run has its own process, and anode serve shows them on a page',
  },
  examples: [
    ['anode runs start --worktree "Fix the slow test"', 'Your checkout stays as it is'],
    ['anode runs start "Fix add()" --until "npm test"', 'Done only when the tests pass'],
    ['anode runs start "Find out why the last test is slow"', 'Prints the id of the run'],
    [
      'anode runs start --approval ask --json < task.md',
      'With every change asked for; `anode attach` answers',
    ],
  ],
  run: startTask,
} as Verb

async function startTask(args: CommandArgs, io: CommandIo): Promise<number> {
  const message = await readTaskText(args, io, 'runs start')
  if (message === undefined) throw noTaskError('runs start')
  const wishes = readAgentChoice(args)
  const order = {
    cwd: realpathSync(io.cwd),
    source: { kind: 'new' } as const,
    settings: { ...wishes, mode: readApproval(String(args.approval)), until: readUntilCommands(args) },
    addDirs: listArg(args, 'add-dir'),
    message,
  }
  const { notes, ...started } = flagArg(args, 'worktree')
    ? await startWorktreeRun(order, runPlace(io), io.signal)
    : await startRunProcess(order, runPlace(io))
  const { thread } = started
  for (const note of notes) io.stderr.write(`note: ${sanitizeText(note)}\n`)
  io.stdout.write(flagArg(args, 'json') ? `${JSON.stringify(started)}\n` : `${thread}\n`)
  return 0
}
