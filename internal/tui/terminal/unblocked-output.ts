// Writing to a terminal without waiting for it: one that takes nothing, at Ctrl-S or over a bad line, holds
// up its picture and nothing else.

interface TerminalHandle {
  fd?: number
  setBlocking?(isBlocking: boolean): unknown
}

type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'writableLength'> & { fd?: number }

interface UnblockedOutput {
  /** Writes wait again, as other programs on this terminal expect it. */
  block(): void
  unblock(): void
  /** Resolves once the terminal has taken everything, or after so many milliseconds. */
  flush(ms: number): Promise<void>
}

/** Unblocked from now on where this process has opened the terminal anew: else a shell would share it. */
export function unblockOutput(output: TerminalOutput): UnblockedOutput {
  const handle = (output as { _handle?: TerminalHandle })._handle
  const isOwn = handle?.fd !== undefined && handle.fd !== output.fd && process.platform !== 'win32'
  const set = (isBlocking: boolean) => {
    if (isOwn) handle.setBlocking?.(isBlocking)
  }
  set(false)
  return {
    block: () => set(true),
    unblock: () => set(false),
    async flush(ms) {
      if (!output.writableLength) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
        output.write('', () => resolve())
      })
      clearTimeout(timer)
    },
  }
}
