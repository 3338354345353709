// Reader of the image in the clipboard of the user's desktop, with external programs.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { desktopEnvironment, findDesktopProgram } from './desktop-program.ts'
import { describePicture, type OutsidePicture } from './outside-text.ts'

/** A program that reads the clipboard; `decode` converts its output to image bytes. */
interface ClipboardReader {
  name: string
  args: readonly string[]
  decode(printed: Buffer): Buffer
}

const asBytes = (printed: Buffer) => printed
const asBase64 = (printed: Buffer) => Buffer.from(printed.toString('latin1').trim(), 'base64')
/** Decodes the output of AppleScript, which prints `«data PNGf89504E47…»`. */
const asAppleScript = (printed: Buffer) =>
  Buffer.from(/data PNGf([0-9A-F]+)/i.exec(printed.toString('utf8'))?.[1] ?? '', 'hex')

const windowsPicture =
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing;' +
  '$i=[Windows.Forms.Clipboard]::GetImage();' +
  'if($i){$m=New-Object IO.MemoryStream;$i.Save($m,[Drawing.Imaging.ImageFormat]::Png);' +
  '[Convert]::ToBase64String($m.ToArray())}'

/** Returns the candidate programs, the likeliest first. */
function clipboardReaders(env: EnvironmentVariables, platform: NodeJS.Platform): ClipboardReader[] {
  const { WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME } = env
  const windows = {
    name: 'powershell.exe',
    args: ['-NoProfile', '-Command', windowsPicture],
    decode: asBase64,
  }
  if (platform === 'darwin')
    return [
      { name: 'pngpaste', args: ['-'], decode: asBytes },
      { name: 'osascript', args: ['-e', 'get the clipboard as «class PNGf»'], decode: asAppleScript },
    ]
  return [
    ...(WSL_DISTRO_NAME || platform === 'win32' ? [windows] : []),
    ...(WAYLAND_DISPLAY
      ? [{ name: 'wl-paste', args: ['--no-newline', '--type', 'image/png'], decode: asBytes }]
      : []),
    ...(DISPLAY
      ? [{ name: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'], decode: asBytes }]
      : []),
  ]
}

const maxBytes = 5 * 1024 * 1024
const maxMs = 5_000

/**
 * Returns the copied image as PNG. Throws UserError if the clipboard has no image, if the image is larger
 * than 5 MiB, or if no program is available.
 */
export async function readClipboardPicture(
  run: RunCommand,
  env: EnvironmentVariables,
  workspace: string,
  platform: NodeJS.Platform = process.platform,
): Promise<OutsidePicture> {
  let isAsked = false
  for (const { name, args, decode } of clipboardReaders(env, platform)) {
    const file = findDesktopProgram(name, env, workspace)
    if (file === undefined) continue
    const chunks: Buffer[] = []
    let size = 0
    const onOutput = (chunk: Uint8Array, stream: string) => {
      size += stream === 'stdout' ? chunk.length : 0
      if (stream === 'stdout' && size <= maxBytes * 3) chunks.push(Buffer.from(chunk))
    }
    const command = { file, args, cwd: '/', env: desktopEnvironment(env), timeoutMs: maxMs, onOutput }
    const outcome = await run(command).catch(() => undefined)
    if (!outcome) continue
    isAsked = true
    const bytes = decode(Buffer.concat(chunks))
    if (bytes.length > maxBytes)
      throw new UserError(`the picture has ${bytes.length} bytes, more than ${maxBytes}`)
    const isPng = bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))
    if (isPng) return describePicture('image/png', bytes)
  }
  if (isAsked) throw new UserError('the clipboard has no image')
  throw new UserError('no program here reads the clipboard', {
    hint: 'install wl-clipboard, xclip or pngpaste, or drop the file on the terminal',
  })
}
