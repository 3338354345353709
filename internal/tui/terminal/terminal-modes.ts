// The modes that a screen sets in a terminal, and their synchronous reset at every end of the program.
import { writeSync } from 'node:fs'

/** Sets bracketed paste and focus reports, and saves the title. */
const modesOn = '\x1b[?2004h\x1b[?1004h\x1b[22;0t'
const modesOff = '\x1b[?2026l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[23;0t'
const mainScreen = '\x1b[?1049l'
/** Reports buttons, the wheel, and moves with a pressed button, also beyond column 223. */
const mouseOn = '\x1b[?1000h\x1b[?1002h\x1b[?1006h'
const mouseOff = '\x1b[?1006l\x1b[?1002l\x1b[?1000l'

/**
 * Resets a terminal after a killed screen. The cursor position is saved first, because leaving the alternate
 * screen restores the last saved position, even if that screen is not shown.
 */
export const resetModes = `\x1b7${mouseOff}${mainScreen}${modesOff}`

interface ModeTerminal {
  input: { setRawMode?(raw: boolean): unknown }
  output: { fd?: number; write(text: string): unknown }
}

export interface TerminalModes {
  set(): void
  /** Restores the terminal immediately. Calling it again has no effect. */
  restore(): void
  /** Records whether a page is on the alternate screen. */
  setAlternate(isOn: boolean): void
  /** Turns mouse reports on or off while the modes are set. */
  setMouse(isOn: boolean): void
  /** Restores the terminal and removes the exit listeners. */
  release(): void
}

/** Guards the modes. `part` returns the last bytes, which move the cursor below the drawn rows. */
export function guardTerminalModes({ input, output }: ModeTerminal, part: () => string): TerminalModes {
  let isSet = false
  let isAlternate = false
  let isMouse = false
  const restore = () => {
    if (!isSet) return
    isSet = false
    writeNow(output, `${isMouse ? mouseOff : ''}${isAlternate ? mainScreen : ''}${part()}${modesOff}`)
    try {
      input.setRawMode?.(false)
    } catch {
      // the terminal is gone
    }
  }
  process.on('exit', restore)
  // before the error report is printed
  process.on('uncaughtExceptionMonitor', restore)
  return {
    set() {
      input.setRawMode?.(true)
      isSet = true
      writeNow(output, isMouse ? modesOn + mouseOn : modesOn)
    },
    restore,
    setAlternate(isOn) {
      isAlternate = isOn
    },
    setMouse(isOn) {
      if (isOn === isMouse) return
      isMouse = isOn
      if (isSet) output.write(isOn ? mouseOn : mouseOff)
    },
    release() {
      restore()
      process.off('exit', restore)
      process.off('uncaughtExceptionMonitor', restore)
    },
  }
}

/** Writes to the terminal itself, because the stream may still buffer text when the program ends. */
function writeNow(output: ModeTerminal['output'], text: string): void {
  if (output.fd === undefined) {
    output.write(text)
    return
  }
  const bytes = Buffer.from(text)
  const until = Date.now() + 200
  let done = 0
  while (done < bytes.length && Date.now() < until) {
    try {
      done += writeSync(output.fd, bytes, done)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
