// The modes that a screen switches on in a terminal, and the one synchronous way back, whatever ends the
// program.
import { writeSync } from 'node:fs'

/** Bracketed paste and reports of the focus; the title is put aside. */
const modesOn = '\x1b[?2004h\x1b[?1004h\x1b[22;0t'
const modesOff = '\x1b[?2026l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[23;0t'
const mainScreen = '\x1b[?1049l'
/** Buttons, the wheel, and moves while a button is held; places beyond column 223 too. */
const mouseOn = '\x1b[?1000h\x1b[?1002h\x1b[?1006h'
const mouseOff = '\x1b[?1006l\x1b[?1002l\x1b[?1000l'

/**
 * For a terminal that a killed screen has left behind. The place of the cursor is kept first: leaving the
 * alternate screen goes to the place that was kept last, also where it is not shown.
 */
export const resetModes = `\x1b7${mouseOff}${mainScreen}${modesOff}`

interface ModeTerminal {
  input: { setRawMode?(raw: boolean): unknown }
  output: { fd?: number; write(text: string): unknown }
}

export interface TerminalModes {
  set(): void
  /** Gives the terminal back at once; harmless when it has been given back. */
  restore(): void
  /** A page is on the alternate screen. */
  setAlternate(isOn: boolean): void
  /** The mouse is asked for as long as the modes are set. */
  setMouse(isOn: boolean): void
  /** The program will not end through this any more. */
  release(): void
}

/** `part`: what else is written last, to leave what was drawn: it moves the cursor below. */
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
  // before the report of the error is printed
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

/** A stream may still hold text when the program ends: the terminal itself is written to. */
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
