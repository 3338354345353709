// The command `anode completion install`, which writes the script to the path where the shell
// searches for it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, messageOf, UserError } from '../../../internal/base/errors.ts'

/** A shell for which Anode has a completion script. */
export type CompletionShell = 'bash' | 'zsh' | 'fish'

/** The file of the installed script, and the step that is left for the user; undefined if none is left. */
interface InstalledCompletion {
  file: string
  next?: string
}

/**
 * Writes `script` to the file where `shell` finds it, by the variables `HOME` and `XDG_*` of `env`, and
 * replaces an older script. Returns the file, and the step that is left for the user. Throws UserError if the
 * file cannot be written.
 */
export function installCompletion(
  shell: CompletionShell,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): InstalledCompletion {
  const installed = completionFile(shell, env)
  try {
    mkdirSync(dirname(installed.file), { recursive: true })
    writeFileSync(installed.file, script)
  } catch (cause) {
    throw new UserError(`${installed.file} cannot be written (${codeOf(cause) ?? messageOf(cause)})`, {
      hint: `\`anode completion ${shell}\` prints the script; store it where your shell reads it`,
      cause,
    })
  }
  return installed
}

function completionFile(
  shell: CompletionShell,
  env: Readonly<Record<string, string | undefined>>,
): InstalledCompletion {
  const home = env.HOME ?? '/'
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share')
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  if (shell === 'fish') return { file: join(config, 'fish', 'completions', 'anode.fish') }
  if (shell === 'bash') return { file: join(data, 'bash-completion', 'completions', 'anode') }
  const directory = join(data, 'zsh', 'site-functions')
  return {
    file: join(directory, '_anode'),
    next: `Add this line to ~/.zshrc before compinit: fpath=(${directory} $fpath)`,
  }
}
