// The command `anode build show`, which prints one task with its proof and its patch.
import type { ReportedCall } from '../../../internal/build/entries.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { readBuildTask } from '../../../internal/service/build/finished-build.ts'
import { describeTaskState } from '../../../internal/session/board/build-words.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, stringArg, type Verb } from '../verb.ts'
import { buildPositional, jsonOption, readBuildName, taskPositional } from './shared.ts'

const restored = 'with the original tests'

const describeReported = ({ title, kind, status }: ReportedCall) =>
  ['reported', kind, title, status].filter((text) => text).join('  ')

export const show: Verb = {
  name: 'build show',
  summary: 'Show one task: its state, thread, checks and patch',
  usage: 'build show ID TASK [flags]',
  positionals: [{ ...buildPositional, required: true }, taskPositional],
  options: { json: jsonOption },
  examples: [['anode build show last api', 'The patch of task api']],
  run: async (args, io) => {
    const task = await readBuildTask(readBuildName(args), stringArg(args, 'TASK') ?? '', io)
    if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(task, 2))
    else {
      const checks = (task.proof?.checks ?? []).map(({ command, exit, originals }) =>
        [
          `check  ${command}  exit ${exit ?? 'by signal'}`,
          ...(originals === 'restored' ? [restored] : []),
        ].join('  '),
      )
      const head = [
        `${task.id}  ${describeTaskState(task)}`,
        ...(task.detail === null ? [] : [task.detail]),
        ...(task.thread === null ? [] : [`thread  ${task.thread}`]),
        ...checks,
        ...task.reported.map(describeReported),
      ]
      await writeText(
        io.stdout,
        `${sanitizeText([...head, '', task.patch].join('\n'), { keepLines: true })}\n`,
      )
    }
    return exitCodes.done
  },
}
