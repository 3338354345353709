// The command `anode runs diff`, which prints the changes of a run in its worktree.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { findWorktree, readWorktreeChanges } from '../../../internal/service/runs/worktree/worktree-runs.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const diff: Verb = {
  name: 'runs diff',
  summary: 'Show what a run has changed in its worktree, committed or not',
  usage: 'runs diff RUN [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    stat: { type: 'boolean', describe: 'Only the files, with lines added and removed' },
    json: { type: 'boolean', describe: 'Print one JSON object with files and patch' },
  },
  examples: [
    ['anode runs diff last', 'A patch, as git prints it'],
    ['anode runs diff last --stat', 'The files alone'],
  ],
  run: printChanges,
}

async function printChanges(args: CommandArgs, io: CommandIo): Promise<number> {
  const record = await findWorktree(String(args.RUN), io)
  const { files, patch } = await readWorktreeChanges(io.env, record, io.signal)
  const { thread, branch, path } = record
  if (flagArg(args, 'json'))
    io.stdout.write(`${JSON.stringify({ thread, branch, path, files, patch }, null, 2)}\n`)
  else if (files.length === 0) io.stderr.write('nothing has changed\n')
  else if (flagArg(args, 'stat'))
    for (const { path: file, added, removed } of files)
      io.stdout.write(`${sanitizeText(file)}  ${added === null ? 'binary' : `+${added} -${removed}`}\n`)
  else io.stdout.write(patch)
  return 0
}
