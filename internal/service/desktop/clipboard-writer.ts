// Writer of text to the clipboard of the user's desktop, with external programs.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { giveToProgram } from '../../process/editor-process.ts'
import { desktopEnvironment, findDesktopProgram } from './desktop-program.ts'

interface ClipboardWriter {
  name: string
  args: readonly string[]
  encode?(text: string): Uint8Array
  env?: EnvironmentVariables
}

/**
 * Encodes text for `clip.exe`, which reads single bytes in an old encoding of Windows. Text with other
 * characters than ASCII is encoded as UTF-16.
 */
const forWindows = (text: string) => Buffer.from(text, /[^\0-\x7f]/.test(text) ? 'utf16le' : 'latin1')

/**
 * Returns the programs to try, most likely first. In an SSH session, only programs for a forwarded display
 * reach the user's desktop.
 */
function clipboardWriters(env: EnvironmentVariables, platform: NodeJS.Platform): ClipboardWriter[] {
  const { WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME, SSH_CONNECTION, SSH_TTY } = env
  const isHere = !SSH_CONNECTION && !SSH_TTY
  if (platform === 'darwin' && isHere) return [{ name: 'pbcopy', args: [], env: { LC_CTYPE: 'UTF-8' } }]
  return [
    ...(isHere && WSL_DISTRO_NAME ? [{ name: 'clip.exe', args: [], encode: forWindows }] : []),
    ...(isHere && WAYLAND_DISPLAY ? [{ name: 'wl-copy', args: ['--type', 'text/plain'] }] : []),
    ...(DISPLAY
      ? [
          { name: 'xclip', args: ['-selection', 'clipboard', '-in'] },
          { name: 'xsel', args: ['--clipboard', '--input'] },
        ]
      : []),
  ]
}

const maxMs = 3_000

export interface WrittenClipboard {
  /** The program that accepted the text; undefined if none did. */
  took?: string
  /** The programs that were tried and failed, in order. */
  failed: string[]
}

/**
 * Writes the text to the clipboard of the desktop with the first program that accepts it. Programs
 * in the workspace are skipped. If none accepts it, resolves without `took`; `failed` lists the
 * programs that failed.
 */
export async function writeClipboard(
  env: EnvironmentVariables,
  workspace: string,
  text: string,
  platform: NodeJS.Platform = process.platform,
): Promise<WrittenClipboard> {
  const failed: string[] = []
  for (const { name, args, encode, env: more } of clipboardWriters(env, platform)) {
    const file = findDesktopProgram(name, env, workspace)
    if (file === undefined) continue
    const exit = await giveToProgram({
      file,
      args,
      timeoutMs: maxMs,
      env: { ...desktopEnvironment(env), ...more },
      input: encode?.(text) ?? Buffer.from(text),
    })
    if (exit === 0) return { took: name, failed }
    failed.push(name)
  }
  return { failed }
}
