// The flags that every direct call of a tool shares, and the session options that they set.
import type { DirectCallOptions } from '../../../internal/service/calls/direct-call.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  flagArg,
  listArg,
  readSandbox,
  sandboxOption,
  stringArg,
} from '../verb.ts'
import { readToolset, toolsetOptions } from './toolset-flags.ts'

export const directOptions: Readonly<Record<string, CommandOption>> = {
  profile: { type: 'string', describe: 'Only what this profile may call', value: 'NAME' },
  ...toolsetOptions,
  'allow-non-read': {
    type: 'boolean',
    describe: 'Also run tools that write, execute or ask; typing it is the approval',
  },
  record: { type: 'boolean', describe: 'Record the call in a thread even if it changes nothing' },
  'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
  sandbox: sandboxOption,
  answers: { type: 'string', describe: 'JSON file with answers for ask_user', value: 'FILE' },
}

/**
 * Returns the options for a direct call of a tool. `name` is the name of the tool, which
 * may be `TOOLSET/NAME`.
 */
export function readDirectCall(args: CommandArgs, io: CommandIo, name?: string): DirectCallOptions {
  const toolset = readToolset(args, name)
  const allowed = flagArg(args, 'allow-non-read')
  const profile = stringArg(args, 'profile')
  const answers = stringArg(args, 'answers')
  return {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    profile,
    toolset,
    mode: allowed ? 'unrestricted' : 'ask',
    isTyped: true,
    approval: allowed ? 'flag' : 'none',
    onlyReads: !allowed,
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
    record: flagArg(args, 'record') ? 'always' : 'changes',
    answers,
    terminal:
      allowed && io.stdin.isTTY === true && io.stderr.isTTY
        ? { stdin: io.stdin, stderr: io.stderr.stream }
        : undefined,
  }
}
