// The command `anode runs merge`, which puts the work of a run in a worktree on top of the branch where
// the run started.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { findWorktree, mergeWorktreeRun } from '../../../internal/service/runs/worktree/worktree-runs.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { runPlace } from './run-place.ts'

export const merge: Verb = {
  name: 'runs merge',
  summary: 'Put the work of a run on top of its branch, check it, and move the branch forward',
  usage: 'runs merge RUN [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    checks: { type: 'string', describe: 'Line for bash that has to succeed in the worktree', value: 'LINE' },
    json: { type: 'boolean', describe: 'Print one JSON object' },
  },
  examples: [
    ['anode runs merge last --checks "npm test"', 'Nothing is merged when the tests fail'],
    ['anode runs merge last', 'Conflicts open the run anew; merge once more when it has ended'],
  ],
  run: mergeWork,
}

async function mergeWork(args: CommandArgs, io: CommandIo): Promise<number> {
  const record = await findWorktree(String(args.RUN), io)
  const result = await mergeWorktreeRun(record, runPlace(io), {
    checks: stringArg(args, 'checks'),
    output: (text) => void io.stderr.write(sanitizeText(text, { keepLines: true })),
    signal: io.signal,
  })
  const isGood = result.kind === 'merged' || result.kind === 'empty'
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify({ thread: record.thread, ...result })}\n`)
  else for (const line of describeMerge(result, record.thread)) io.stdout.write(`${line}\n`)
  return isGood ? exitCodes.done : exitCodes.failed
}

function describeMerge(result: Awaited<ReturnType<typeof mergeWorktreeRun>>, thread: string): string[] {
  switch (result.kind) {
    case 'merged': {
      return [
        `merged ${countNoun(result.commits, 'commit')}, up to ${result.commit.slice(0, 10)}`,
        `anode runs drop ${thread} removes its worktree`,
      ]
    }
    case 'empty':
      return ['nothing to merge']
    case 'conflicts':
      return [
        'conflicts; the run was opened anew to resolve them, then merge once more:',
        ...result.files.map((file) => `  ${sanitizeText(file)}`),
      ]
    case 'failed':
      return [`not merged: the checks ended with ${result.exit ?? 'a signal'}`]
  }
}
