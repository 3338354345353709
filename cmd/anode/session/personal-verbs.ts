// Commands in a session that only a user may run. They run in the session's process, because a child process
// of the session would count as an agent's command.
import type { SessionService } from '../../../internal/session/client.ts'
import type { CommandOutput } from '../io/command-output.ts'
import { reportFailure } from '../io/error-report.ts'
import { parseArgs } from '../parse-args.ts'
import { type CommandIo, type LoadVerb, loadVerb, type VerbEntry } from '../verb.ts'

const loadConfig = async () => (await import('../config/index.ts')).config.verbs

const personalVerbs: Readonly<Record<string, LoadVerb>> = {
  'permissions forget': async () => (await import('../permissions/forget.ts')).forget,
  'config set': async () => loadVerb((await loadConfig()).set as VerbEntry),
  'config unset': async () => loadVerb((await loadConfig()).unset as VerbEntry),
}

type RunSessionVerb = NonNullable<SessionService['runVerb']>

export function withPersonalVerbs(io: CommandIo, service: SessionService): SessionService {
  const { runVerb } = service
  return runVerb ? { ...service, runVerb: withPersonal(io, runVerb) } : service
}

/**
 * Returns a function that runs the commands of `personalVerbs` in this process. It calls `otherwise` for any
 * other command, and for a command of `personalVerbs` that asks for its help.
 */
function withPersonal(io: CommandIo, otherwise: RunSessionVerb): RunSessionVerb {
  return async (words, options) => {
    const [group = '', name = '', ...more] = words
    const load = personalVerbs[`${group} ${name}`]
    if (!load) return await otherwise(words, options)
    const { env, cwd, stdin } = io
    const { signal, output, columns } = options
    const capture = (stream: 'stdout' | 'stderr'): CommandOutput => ({
      isTTY: false,
      columns,
      draw: () => undefined,
      write(text, done) {
        output(text, stream)
        done?.()
      },
      get stream() {
        return io[stream].stream
      },
    })
    const verbIo = {
      stdin,
      piped: false,
      env,
      cwd,
      signal,
      stdout: capture('stdout'),
      stderr: capture('stderr'),
    }
    try {
      const verb = await load()
      const args = parseArgs(verb, more)
      if (args.help === true) return await otherwise(words, options)
      return { exit: await verb.run(args, verbIo) }
    } catch (error) {
      return { exit: reportFailure(error, verbIo, [group]) }
    }
  }
}
