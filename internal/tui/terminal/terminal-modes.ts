// The modes that a screen sets in a terminal, and the code that resets them synchronously at every end
// of the process.
import { writeSync } from 'node:fs'

/** Control sequences that switch on marks around pastes and reports of the focus, and save the title. */
const modesOn = '\x1b[?2004h\x1b[?1004h\x1b[22;0t'
const modesOff = '\x1b[?2026l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[23;0t'
const mainScreen = '\x1b[?1049l'
/**
 * Control sequence that leaves the alternate screen. Its rows are erased first, because tmux moves them into
 * the scrollback if the width has changed since the alternate screen was entered.
 */
export const leaveAlternate = `\x1b[1;1H\x1b[J${mainScreen}`
/**
 * Control sequences that switch on reports of buttons, the wheel, and moves with a pressed button, also
 * beyond column 223.
 */
const mouseOn = '\x1b[?1000h\x1b[?1002h\x1b[?1006h'
const mouseOff = '\x1b[?1006l\x1b[?1002l\x1b[?1000l'

/**
 * Control sequences that reset a terminal after a screen was killed. The cursor position is saved first,
 * because leaving the alternate screen restores the last saved position, even if that screen is not shown.
 */
export const resetModes = `\x1b7${mouseOff}${mainScreen}${modesOff}`

interface ModeTerminal {
  input: { setRawMode?(raw: boolean): unknown }
  output: { fd?: number; write(text: string): unknown }
}

export interface TerminalModes {
  set(): void
  /** Restores the terminal immediately. Further calls have no effect until the modes are set again. */
  restore(): void
  /** Records whether a page is shown on the alternate screen. */
  setAlternate(isOn: boolean): void
  /** Turns reports of the mouse on or off. While the modes are not set, only records the choice for `set`. */
  setMouse(isOn: boolean): void
  /** Restores the terminal and removes the listeners for the end of the process. */
  release(): void
}

/**
 * Makes sure that the modes of the terminal are reset, at the latest when the process ends. `part` returns
 * bytes to write before the reset, which erase the drawn rows.
 */
export function guardTerminalModes({ input, output }: ModeTerminal, part: () => string): TerminalModes {
  let isSet = false
  let isAlternate = false
  let isMouse = false
  const restore = () => {
    if (!isSet) return
    isSet = false
    writeNow(output, `${isMouse ? mouseOff : ''}${isAlternate ? leaveAlternate : ''}${part()}${modesOff}`)
    try {
      input.setRawMode?.(false)
    } catch {
      // the terminal is gone
    }
  }
  process.on('exit', restore)
  // The terminal is restored before Node prints the error report.
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

/**
 * Writes text directly to the terminal, in at most 200 ms, because the stream may still buffer text when
 * the process ends.
 */
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
