// Terminal output that does not block. A terminal that accepts no data, as after Ctrl-S or over a bad
// connection, delays only its own screen.

interface TerminalHandle {
  fd?: number
  setBlocking?(isBlocking: boolean): unknown
}

type TerminalOutput = Pick<NodeJS.WriteStream, 'write' | 'writableLength'> & { fd?: number }

interface UnblockedOutput {
  /** Makes writes blocking again, as other programs on this terminal expect them. */
  block(): void
  unblock(): void
  /** Resolves once the terminal has received everything, or after `ms` milliseconds. */
  flush(ms: number): Promise<void>
}

/**
 * Makes writes non-blocking if this process opened the terminal itself. Otherwise a shell would
 * share that setting.
 */
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
