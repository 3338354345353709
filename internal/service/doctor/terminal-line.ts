// Reset of the user's terminal to usual settings: it shows typed text, and Enter ends a line.
import { closeSync } from 'node:fs'
import { runOnTerminal } from '../../process/editor-process.ts'

/**
 * Resets the terminal. Returns the reason of a failure; undefined after a success. After a
 * success, the standard streams are closed when the process exits, because Node would otherwise
 * restore the earlier settings.
 */
export async function resetTerminalLine(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  try {
    const exit = await runOnTerminal('stty', ['sane'], env)
    if (exit !== 0) return `stty ended with exit code ${exit}`
  } catch {
    return 'stty cannot be started here; `reset` does the same'
  }
  process.once('exit', closeStreams)
}

/**
 * Closes the three standard streams. At its exit Node restores the earlier state of each terminal, except
 * for closed streams.
 */
function closeStreams(): void {
  for (const fd of [0, 1, 2]) {
    try {
      closeSync(fd)
    } catch {
      // already closed
    }
  }
}
