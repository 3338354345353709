// The line settings of the person's terminal: keys are shown and end with Enter again.
import { closeSync } from 'node:fs'
import { runOnTerminal } from '../../process/editor-process.ts'

/** Why it could not be done; undefined where it was. To be called last: the streams are closed at the end. */
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

/** Node gives terminals back at its end as it has found them, but for streams that are closed. */
function closeStreams(): void {
  for (const fd of [0, 1, 2]) {
    try {
      closeSync(fd)
    } catch {
      // closed already
    }
  }
}
