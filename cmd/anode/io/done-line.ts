// The line that a command prints after it has changed something, as text or as JSON.
import { type CommandArgs, type CommandIo, type CommandOption, flagArg } from '../verb.ts'
import { formatJson } from './json.ts'

export const doneOptions = {
  json: { type: 'boolean', describe: 'Print as JSON what was done' },
} as const satisfies Readonly<Record<string, CommandOption>>

/** Prints `text`, or with `--json` the same information as `data`. */
export function printDone(
  args: CommandArgs,
  io: CommandIo,
  text: string,
  data: Readonly<Record<string, unknown>>,
): void {
  io.stdout.write(flagArg(args, 'json') ? formatJson(data, 2) : text)
}
