// Moves this program to the background: as a job of its shell, as Ctrl-Z and `bg` would do, or without the
// window that only it used.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { kill } from 'node:process'
import { readProcess } from './table/descendants.ts'

/**
 * How this process can leave its terminal: a shell with job control takes it back, or the terminal is
 * a window that was opened for this process.
 */
type TerminalExit = 'shell' | 'window'

/**
 * Returns how this process can leave its terminal; undefined if another process waits for its end, and on
 * systems without /proc.
 */
export function findTerminalExit(): TerminalExit | undefined {
  const ownProcess = readProcess('self')
  if (!ownProcess || ownProcess.foreground !== ownProcess.group) return undefined
  // The end of the first process would end a container with all others.
  if (ownProcess.session === ownProcess.pid) return ownProcess.pid === 1 ? undefined : 'window'
  const leader = readProcess(ownProcess.group)
  const shell = leader && readProcess(leader.parent)
  return shell?.session === ownProcess.session && shell.group !== ownProcess.group ? 'shell' : undefined
}

/**
 * Script that continues the stopped process group $1 once its shell has noticed the stop and owns the
 * terminal again, at the latest after about four seconds.
 */
const continueStopped = `
n=0
while [ $n -lt 200 ]; do
  read -r line < /proc/$1/stat || exit
  group=$1
  set -- $group \${line##*)}
  [ "$2" = T ] && [ "$7" != "$4" ] && break
  set -- $group
  n=$((n + 1))
  sleep 0.02
done
kill -CONT -$1`

/**
 * Gives the terminal back to the shell, or closes the window, and lets this process run in the background.
 * Afterwards the standard streams are empty, and the end of the terminal does not end the process. Resolves
 * when the process continues. Rejects if the shell could not be started that continues the process.
 */
export async function moveToBackground(exit: TerminalExit): Promise<void> {
  const ownProcess = readProcess('self')
  process.removeAllListeners('SIGHUP').on('SIGHUP', () => undefined)
  if (exit === 'window') {
    // A window that stays open still sends the signals of Ctrl-C and Ctrl-\ to this process.
    for (const signal of ['SIGINT', 'SIGQUIT'] as const)
      process.removeAllListeners(signal).on(signal, () => undefined)
    return closeTerminal()
  }
  // After `fg`, Ctrl-C ends the program.
  process.removeAllListeners('SIGINT').once('SIGINT', () => kill(process.pid, 'SIGTERM'))
  const helper = spawn('/bin/sh', ['-c', continueStopped, 'sh', String(ownProcess?.group)], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  })
  await new Promise((resolve, reject) => helper.once('spawn', resolve).once('error', reject))
  helper.unref()
  closeTerminal()
  kill(-(ownProcess?.group ?? 0), 'SIGSTOP')
}

/**
 * Replaces standard input, output and error by /dev/null, so that no descriptor of the terminal stays open.
 * Otherwise the end of this process would change the settings that the shell uses.
 */
function closeTerminal(): void {
  // Node reads the size of its outputs at this signal, which fails without a handle.
  process.removeAllListeners('SIGWINCH')
  // A write to a closed output must not end the process.
  for (const stream of [process.stdin, process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => undefined)
  process.stdin.destroy()
  // Node opens the terminal again for its outputs and never closes it.
  for (const stream of [process.stdout, process.stderr] as { _handle?: { close(): void } | null }[]) {
    stream._handle?.close()
    stream._handle = null
  }
  for (const fd of [0, 1, 2]) {
    closeSync(fd)
    openSync('/dev/null', 'r+')
  }
}
