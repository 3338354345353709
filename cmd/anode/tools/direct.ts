// The flags that every direct call shares, and the session they ask for.
import type { SessionOptions } from '../../../internal/host/session.ts'
import { type Args, flag, type Io, list, type Option, str } from '../verb.ts'

export const directOptions: Readonly<Record<string, Option>> = {
  profile: { type: 'string', describe: 'Only what this profile may call', value: 'NAME' },
  'allow-non-read': {
    type: 'boolean',
    describe: 'Also run tools that write, execute or ask; typing it is the approval',
  },
  record: { type: 'boolean', describe: 'Record the call in a thread even if it changes nothing' },
  'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
  answers: { type: 'string', describe: 'JSON file with answers for ask_user', value: 'FILE' },
}

export function direct(args: Args, io: Io): SessionOptions {
  const allowed = flag(args, 'allow-non-read')
  const profile = str(args, 'profile')
  const answers = str(args, 'answers')
  return {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    ...(profile !== undefined && { profile }),
    mode: allowed ? 'unrestricted' : 'ask',
    approval: allowed ? 'flag' : 'none',
    onlyReads: !allowed,
    addDirs: list(args, 'add-dir'),
    record: flag(args, 'record') ? 'always' : 'changes',
    ...(answers !== undefined && { answers }),
    terminal:
      allowed && io.stdin.isTTY === true && io.stderr.isTTY
        ? { stdin: io.stdin, stderr: io.stderr.stream }
        : undefined,
  }
}
