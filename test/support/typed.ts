// A runner of the built program on a separate terminal, with a user's answer typed ahead.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { World } from './anode.ts'
import { root } from './sources.ts'

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/**
 * Returns the text on the screen, and the exit code. `script` is the util-linux program that
 * creates a terminal.
 */
export function typed(
  at: World,
  words: readonly string[],
  answer: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; screen: string }> {
  const line = [process.execPath, join(root, 'dist', 'anode.cjs'), ...words].map(quote).join(' ')
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: at.dir,
    env: {
      PATH: process.env['PATH'],
      HOME: join(at.dir, '..'),
      ANODE_DATA_DIR: at.data,
      TERM: 'dumb',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  let answered = false
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString()
      if (answered || !screen.includes('Type yes')) return
      answered = true
      child.stdin.write(`${answer}\n`)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
}
