// Display of a long text in the user's pager, a program such as `less`.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { pageText } from '../../process/editor-process.ts'
import { findDesktopProgram } from './desktop-program.ts'

/** Exit codes of a shell that cannot run the command. */
const notStarted = new Set([126, 127])

/**
 * Shows the text in `$PAGER`, or in `less -R` if PAGER is not set and `less` is installed. Returns false if
 * PAGER is empty or `cat`, if PAGER is not set and `less` is missing, if the terminal is dumb, or if the
 * program did not start.
 */
export async function showInPager(text: string, env: EnvironmentVariables, cwd: string): Promise<boolean> {
  if (env.TERM === 'dumb') return false
  const command = env.PAGER ?? (findDesktopProgram('less', env, cwd) ? 'less -R' : '')
  if (['', 'cat'].includes(command.trim())) return false
  // `less` gets the options that git uses: it shows colors, a short text does not fill the screen, and the
  // text stays visible after the end
  const exit = await pageText(command, text, { ...env, LESS: env.LESS ?? 'FRX' })
  return exit === null || !notStarted.has(exit)
}
