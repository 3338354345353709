// Puts a text into the clipboard of the person's desktop, by the programs that can.
import { giveToProgram } from '../../process/editor-process.ts'
import { type DesktopVariables, desktopEnvironment, findDesktopProgram } from './desktop-program.ts'

interface ClipboardWriter {
  name: string
  args: readonly string[]
  encode?(text: string): Uint8Array
  env?: DesktopVariables
}

/** It takes other bytes for those of the old code page, and two for each character where one is not ASCII. */
const forWindows = (text: string) => Buffer.from(text, /[^\0-\x7f]/.test(text) ? 'utf16le' : 'latin1')

/** Those that may do, the likeliest first. From afar only a display that came along is the person's. */
function clipboardWriters(env: DesktopVariables, platform: NodeJS.Platform): ClipboardWriter[] {
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
  /** Name of the program that took it. */
  took?: string
  /** Names of those that were tried before in vain. */
  failed: string[]
}

/** Never rejects. A program of the workspace is not asked. */
export async function writeClipboard(
  env: DesktopVariables,
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
