// The entry point of the program. It prints the version and the usual help from stored text,
// answers completion, and is the program of study workers and background runs. It leaves other
// command lines to dispatch.ts.
import { closeSync, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

async function main(words: string[]): Promise<number> {
  const first = words[0]
  if (first === '--version' || first === '-v' || first === 'version')
    return printText(`${process.env.ANODE_VERSION}${process.env.ANODE_COMMIT}\n`)
  const wantsHelp =
    (first === undefined && !(await isUsed())) || first === '--help' || first === '-h' || first === 'help'
  if (wantsHelp && words.length < 2 && hasUsualWidth())
    return printText(readFileSync(join(__dirname, 'help.txt'), 'utf8'))
  if (first === '--get-yargs-completions') {
    const { completionCandidates } = await import('./completion/candidates.ts')
    return printText((await completionCandidates(words.slice(1))).map((line) => `${line}\n`).join(''))
  }
  if (first === '--study-worker') return (await import('./study/worker-process.ts')).runStudyWorker()
  if (first === '--run-process') return (await import('./runs/run-process.ts')).runProcess()
  const { runCommandLine } = await import('./dispatch.ts')
  return runCommandLine(first === 'help' ? [...words.slice(1), '--help'] : words)
}

/**
 * Returns true if a command line without words has a use. Standard input and output are then terminals, for a
 * session, or standard input is a pipe or file, which may contain a task.
 */
async function isUsed(): Promise<boolean> {
  const { isatty } = await import('node:tty')
  return (isatty(0) && isatty(1)) || !fstatSync(0).isCharacterDevice()
}

/**
 * Returns true if the output has at least 80 columns, for which the stored help text was made. The variable
 * COLUMNS is used before the width of the terminal. An unknown width counts as 80 columns.
 */
function hasUsualWidth(): boolean {
  return (
    (Number(process.env.COLUMNS) || (fstatSync(1).isCharacterDevice() && process.stdout.columns) || 80) >= 80
  )
}

/**
 * Prints a text and returns exit code 0. Writes without Node's stream if possible, because opening the stream
 * takes longer than everything else here.
 */
async function printText(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  const rest = bytes.subarray(writeSome(bytes))
  if (rest.length > 0) (await import('./io/command-output.ts')).openOut('stdout').stream.write(rest)
  return 0
}

/**
 * Writes bytes directly and returns the number of bytes that were written: 0 after an error, which the stream
 * then reports for the rest.
 */
function writeSome(bytes: Buffer): number {
  try {
    return writeSync(1, bytes)
  } catch {
    return 0
  }
}

/**
 * Puts /dev/null in the place of closed terminals. Node restores the settings of its standard streams when
 * it exits, and aborts with a core file if a terminal no longer accepts them.
 */
function releaseLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    const file = fstatSync(fd)
    if (!file.isCharacterDevice() || file.rdev === statSync('/dev/null').rdev) continue
    if (process.getBuiltinModule('node:tty').isatty(fd)) continue
    closeSync(fd)
    openSync('/dev/null', 'r+')
  }
}

if (process.platform !== 'win32') process.once('exit', releaseLostTerminals)
// All work is done, so the process exits without Node's gradual shutdown.
process.once('beforeExit', () => process.exit())
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.exitCode = 70
    process.stderr.write(`anode: ${error instanceof Error ? error.stack : String(error)}\n`)
  },
)
